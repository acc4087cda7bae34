#!/usr/bin/env python3
"""Measures the figures of README.md and prints their table. Started by `make figures`.

	tests/bench/figures.py JUDGE PROGRAMS-FOLDER [--rounds N] [--only GLOB]

Nothing has a target here and nothing is left out: what was measured is printed, whatever it is. The parts are
attacks, faults, kill, overshoot, cpu, memory, output; each but the first two is measured without a cgroup and with
the best one to be had. Runs as an ordinary user, as one without a name when started as root; the suites of
attacks and faults take care of that themselves. JUDGE_SOAK=1 makes those two try everything.
"""
import argparse
import fnmatch
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import bench

MIB = 1 << 20
LIMIT_MS = 50
BOMB = 64
SPIN = "100000000"
TOUCHED = [8, 64, 200]
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Table:
	"""The rows, printed as they come."""

	def __init__(self):
		print("| what | figure |\n|---|---|")

	def row(self, what, figure):
		print(f"| {what} | {figure} |", flush=True)


def spread(values, unit, digits=2):
	return (f"p50 {bench.percentile(values, 50):.{digits}f} {unit}, p99 {bench.percentile(values, 99):.{digits}f} {unit}, "
		f"worst {max(values):.{digits}f} {unit} ({len(values)} runs)")


# ---- from the suites

def suite(b, name):
	"""The lines of a suite; as long as it takes."""
	command = [sys.executable, os.path.join(TESTS, name, "run.py"), "--judge", b.judge]
	done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
	return done.stdout.splitlines()


def counted(lines, chosen):
	words = [line.split()[0] for line in lines if re.match("(PASS|FAIL|SKIP) ", line) and chosen(line)]
	return words.count("PASS"), words.count("FAIL"), words.count("SKIP")


def contained(passed, failed, skipped):
	rest = f"; {skipped} more need what this machine lacks" if skipped else ""
	return f"{passed + failed} tried, {passed} contained{rest}"


def attacks(b, table, _modes):
	lines = suite(b, "hostile")
	is_attack = re.compile(r"\w+ hostile-[\w-]+: attack ").match
	for line in lines:
		if line.startswith("FAIL"):
			print(line, file=sys.stderr)
	table.row("hostile cases, the project's own", contained(*counted(lines, lambda line: not is_attack(line))))
	theirs = counted(lines, is_attack)
	if sum(theirs):
		table.row("hostile cases, a collection from elsewhere", contained(*theirs))


def faults(b, table, _modes):
	lines = suite(b, "faults")
	passed, failed, _ = counted(lines, lambda line: True)
	match = re.fullmatch(r"faults: (\d+) injected, (\d+) of them .*, (\d+) judges killed or told to stop", (lines or [""])[-1])
	if not match:
		raise SystemExit("figures: the faults suite did not end with its count: " + "\n".join(lines[-3:]))
	verdict = "all of its cases hold" if not failed else f"{failed} of its {passed + failed} cases do not hold"
	table.row("faults injected into system calls", f"{match[1]}, of which {match[2]} met their call; {verdict}")
	table.row("judges killed or told to stop at a random moment", f"{match[3]}; {verdict}")


# ---- measured

def measured(b, options, *command, ok=(0,)):
	"""One run: its JSON object and the program's output."""
	done = subprocess.run([*b.as_user, b.judge, "run", "-q", "--json", "--meta", b.meta, *options, *command], cwd=b.folder,
		stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
	if done.returncode not in ok:
		raise SystemExit(f"figures: judge run {' '.join([*options, *command])}: exit status {done.returncode}")
	with open(b.meta) as file:
		return json.load(file), done.stdout


def kill_latency(b, options):
	"""From SIGTERM until the judge is gone, and with it the whole box; ms."""
	command = [*b.as_user, b.judge, "run", "-q", *options, "--processes", str(BOMB), "--time", "60", "--wall-time", "120",
		b.program("load"), "bomb"]
	with subprocess.Popen(command, cwd=b.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as judge:
		if judge.stdout.readline() != b"full\n":
			raise SystemExit(f"figures: the bomb did not fill its box: {' '.join(command)}")
		time.sleep(0.02)
		begin = time.monotonic()
		judge.send_signal(signal.SIGTERM)
		judge.wait()
		return (time.monotonic() - begin) * 1000


def kill(b, table, modes):
	for name, options in modes:
		times = [kill_latency(b, options) for _ in range(b.rounds // 2)]
		table.row(f"end of a box with a {BOMB}-process fork bomb, from SIGTERM to the judge's exit, {name}", spread(times, "ms"))


def overshoot(b, table, modes):
	for name, options in modes:
		for option, key, what in [("--time", "cpu_time_ms", "CPU"), ("--wall-time", "execution_time_ms", "wall")]:
			limit = [option, str(LIMIT_MS / 1000)]
			over = [measured(b, [*options, *limit], b.program("load"), "tell", ok=(1,))[0][key] - LIMIT_MS
				for _ in range(b.rounds)]
			table.row(f"{what} time over a limit of {LIMIT_MS} ms, {name}", spread(over, "ms"))


def cpu(b, table, modes):
	for name, options in modes:
		errors, truths = [], []
		for _ in range(max(5, b.rounds // 5)):
			result, output = measured(b, options, b.program("load"), "spin", SPIN)
			truths.append(int(output) / 1000)
			errors.append(abs(result["cpu_time_ms"] - truths[-1]))
		table.row(f"CPU time against the program's own clock (about {statistics.median(truths):.0f} ms), {name}",
			"off by " + spread(errors, "ms", 3))


def memory(b, table, modes):
	for name, options in modes:
		peak = lambda *command: [measured(b, options, *command)[0]["mem-peak"] / MIB for _ in range(max(3, b.rounds // 20))]
		table.row(f"memory peak of a program that does nothing, {name}", f"{statistics.median(peak(b.program('noop'))):.2f} MiB")
		over = [(mib, [p - mib for p in peak(b.program("load"), "touch", str(mib * MIB))]) for mib in TOUCHED]
		table.row(f"memory peak of one that uses {', '.join(map(str, TOUCHED))} MiB, {name}", ", ".join(
			f"{mib} {statistics.median(values):+.2f} ({min(values):+.2f} to {max(values):+.2f})" for mib, values in over) + " MiB")


def rate(b, options, *through):
	amount = 100 * MIB
	begin = time.monotonic()
	b.run(*through, b.judge, "run", "-q", *options, "--output", "100M", b.program("load"), "write", str(amount),
		stdout=subprocess.DEVNULL)
	return amount / (time.monotonic() - begin) / 1e9


def output(b, table, modes):
	pipe = ["/bin/sh", "-c", '"$@" | cat >/dev/null', "sh"]
	for name, options in modes:
		for to, through in [("/dev/null", []), ("a pipe", pipe)]:
			rates = [rate(b, options, *through) for _ in range(max(3, b.rounds // 20))]
			table.row(f"output of 100 MiB to {to}, whole run, {name}",
				f"median {statistics.median(rates):.2f} GB/s, worst {min(rates):.2f} GB/s ({len(rates)} runs)")


PARTS = [attacks, faults, kill, overshoot, cpu, memory, output]


def print_head(b):
	with open("/proc/cpuinfo") as file:
		models = re.findall(r"model name\s*: (.*)", file.read())
	load = "%.1f" % os.getloadavg()[0]
	print(f"Measured {time.strftime('%Y-%m-%d', time.gmtime())} on Linux {platform.release()}, {os.cpu_count()} CPUs "
		f"({models[0] if models else platform.machine()}), load {load}, by `make figures`"
		f"{' with JUDGE_SOAK=1' if os.environ.get('JUDGE_SOAK') else ''}"
		f"{'' if b.rounds == 200 else f' with {b.rounds} rounds'}:\n")


def main():
	parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
	parser.add_argument("judge")
	parser.add_argument("programs", help="folder of the compiled programs")
	parser.add_argument("--rounds", type=int, default=200)
	parser.add_argument("--only", default="*", metavar="GLOB", help=", ".join(part.__name__ for part in PARTS))
	options = parser.parse_args()
	with tempfile.TemporaryDirectory(prefix="judge-bench-") as scratch:
		if not os.getuid():
			os.chown(scratch, bench.USER, bench.USER)
		b = bench.Bench(options, scratch)
		b.meta = os.path.join(scratch, "meta")
		print_head(b)
		table = Table()
		with bench.cgroup_options(b) as cgroup:
			modes = [("no cgroup", ["--cgroup", "none"])]
			if cgroup:
				modes.append(("cgroup " + measured(b, cgroup, b.program("noop"))[0]["cgroup"], cgroup))
			for part in PARTS:
				if fnmatch.fnmatch(part.__name__, options.only):
					part(b, table, modes)
	return 0


sys.exit(main())
