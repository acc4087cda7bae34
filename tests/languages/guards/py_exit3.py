# what: SystemExit's number is the exit status
# contest: RTE exited with status 3
# strict: RTE exited with status 3
raise SystemExit(3)
