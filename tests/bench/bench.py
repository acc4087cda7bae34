#!/usr/bin/env python3
"""How fast the judge is, beside the kernel's own floor and beside bwrap. Started by `make bench`.

	tests/bench/bench.py JUDGE PROGRAMS-FOLDER [--rounds N] [--only GLOB]

Everything runs as an ordinary user, as one without a name when started as root. What is compared is
run in turn within one measurement, and what has a target is a ratio of medians: the machine's speed
and mood cancel out. A line per figure, as tests/run has them:

	PASS bench: sentence: figure (target)

fails when a target is missed. Root gives the judge cgroup v1 folders of its own for the time of this.
"""
import argparse
import contextlib
import fnmatch
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
LIMIT_MS = 50
EARLY_MS = 1	# between the start of a program's clocks, its last look at them, and its death
USER = 60001	# in no passwd file
CGROUP = "judge-bench"
CONTROLLERS = ["memory", "pids", "cpu", "cpuacct"]


class Bench:
	"""What to run and how, and how many targets were missed."""

	def __init__(self, options, scratch):
		self.judge = os.path.abspath(options.judge)
		self.folder = os.path.abspath(options.programs)
		self.rounds = options.rounds
		self.scratch = scratch
		self.count = {"PASS": 0, "FAIL": 0, "SKIP": 0}
		self.as_user = [] if os.getuid() else [shutil.which("setpriv"), f"--reuid={USER}", f"--regid={USER}",
			"--clear-groups", "--inh-caps=-all"]

	def program(self, name):
		return f"./{name}"

	def run(self, *command, **how):
		return subprocess.run([*self.as_user, *command], check=True, text=True, cwd=self.folder,
			stdin=subprocess.DEVNULL, **how)

	def output(self, *command):
		return self.run(*command, stdout=subprocess.PIPE).stdout

	def box(self, *options, ok=True):
		"""One run of the judge: its meta file, and what the program printed."""
		meta = os.path.join(self.scratch, "meta")
		done = subprocess.run([*self.as_user, self.judge, "run", "-q", "--meta", meta, *options], text=True,
			cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
		if done.returncode not in ([0] if ok else [0, 1]):
			raise SystemExit(f"bench: judge run {' '.join(options)}: exit status {done.returncode}")
		with open(meta) as file:
			return dict(line.rstrip("\n").split(":", 1) for line in file), done.stdout

	def say(self, sentence, figure, target, met):
		word = "PASS" if met else "FAIL"
		self.count[word] += 1
		print(f"{word} bench: {sentence}: {figure} (target {target})", flush=True)

	def skip(self, sentence, reason):
		self.count["SKIP"] += 1
		print(f"SKIP bench: {sentence}: {reason}", flush=True)

	def ratio(self, sentence, part, whole, most):
		"""Of the medians of two lists; of the best too, which a busy machine spoils less."""
		ratio = statistics.median(part) / statistics.median(whole)
		self.say(sentence, f"{ratio:.2f}, of the best {min(part) / min(whole):.2f}", f"at most {most}",
			ratio <= most)


def percentile(values, percent):
	values = sorted(values)
	return values[min(len(values) - 1, len(values) * percent // 100)]


def bwrap_command(program):
	"""A box of bwrap's with the mounts and namespaces that floor.c and judge make."""
	command = [shutil.which("bwrap"), "--unshare-all", "--die-with-parent", "--new-session",
		"--ro-bind", "/usr", "/usr"]
	for name in ["bin", "sbin", "lib", "lib64"]:
		command += ["--symlink", f"usr/{name}", f"/{name}"]
	for name in ["null", "zero", "full", "random", "urandom"]:
		command += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
	return [*command, "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/box", "--ro-bind", program,
		"/box/program", "--chdir", "/box", "/box/program"]


def give_folders():
	"""The judge's own cgroup v1 folders, made by root for the user; [] where there are none."""
	made = []
	for controller in CONTROLLERS:
		path = f"/sys/fs/cgroup/{controller}/{CGROUP}"
		if not os.path.exists(os.path.join(os.path.dirname(path), "cgroup.procs")):
			continue
		os.makedirs(path, exist_ok=True)
		for name in ["", "cgroup.procs", "tasks"]:
			os.chown(os.path.join(path, name), USER, USER)
		made.append(path)
	return made


def remove_folders(made):
	for path in made:
		for folder in [*glob.glob(f"{path}/*/"), path]:
			with contextlib.suppress(OSError):
				os.rmdir(folder)


@contextlib.contextmanager
def cgroup_options(bench):
	"""The options by which the judge gets a cgroup here, or None."""
	made = give_folders() if not os.getuid() else []
	try:
		options = ["--cgroup", f"/{CGROUP}"] if made else ["--require", "cgroup"]
		tried = subprocess.run([*bench.as_user, bench.judge, "run", "-q", *options, bench.program("noop")],
			cwd=bench.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
		if tried.returncode:
			print(f"bench: no cgroup: {tried.stderr.strip()}", file=sys.stderr)
		yield None if tried.returncode else options
	finally:
		remove_folders(made)


def measure_latency(bench):
	"""One-shot latency: start to end of a static program that does nothing."""
	noop = bench.program("noop")
	run = [bench.judge, "run", "-q"]
	commands = {"bare": [noop], "floor": [bench.program("floor"), noop],
		"bwrap": bwrap_command(os.path.join(bench.folder, noop)), "judge": [*run, "--cgroup", "none", noop]}
	with cgroup_options(bench) as cgroup:
		if cgroup:
			commands["judge in a cgroup"] = [*run, *cgroup, noop]
		words = [word for command in commands.values() for word in [",", *command]]
		lines = bench.output(bench.program("spawn"), str(bench.rounds), *words).splitlines()
	runs = [tuple(map(int, line.split())) for line in lines]
	times = {name: [us for i, us, _ in runs if i == which] for which, name in enumerate(commands)}
	for name, us in times.items():
		print(f"      {name}: median {statistics.median(us) / 1000:.2f} ms, best {min(us) / 1000:.2f}, "
			f"p99 {percentile(us, 99) / 1000:.2f}")
	bench.ratio("a box without a cgroup, times bwrap's", times["judge"], times["bwrap"], 0.6)
	bench.ratio("a box without a cgroup, times the kernel's floor", times["judge"], times["floor"], 1.5)
	if cgroup:
		bench.ratio("a box with a cgroup, times bwrap's", times["judge in a cgroup"], times["bwrap"], 0.8)
	else:
		bench.skip("a box with a cgroup", "no cgroup to be had (cgroup v1 as root, or a delegated v2)")
	peak = max(kib for i, _, kib in runs if i >= list(commands).index("judge")) / 1024
	bench.say("judge's own peak memory", f"{peak:.2f} MiB", "at most 3", peak <= 3)


def measure_slowdown(bench):
	"""A program that only computes, bare and in a box; and whether the judge knows how long it took."""
	rounds = "150000000"
	load = bench.program("load")
	bare, boxed, errors = [], [], []
	for _ in range(15):
		bare.append(int(bench.output(load, "spin", rounds)))
		meta, output = bench.box("--cgroup", "none", load, "spin", rounds)
		truth = int(output)
		boxed.append(truth)
		errors.append((abs(float(meta["time"]) * 1e6 - truth), truth))
	ratio = statistics.median(boxed) / statistics.median(bare)
	bench.say("CPU time of a computing program, times bare", f"{ratio:.3f}", "at most 1.01", ratio <= 1.01)
	worst, truth = max(errors)
	bench.say("CPU time reported against the program's own clock, worst of 15",
		f"{worst / 1000:.2f} ms of {truth / 1000:.0f}", "1 % or 1 ms",
		all(error <= max(1000, exact / 100) for error, exact in errors))


def say_overshoot(bench, name, over, early):
	median, p99 = statistics.median(over), percentile(over, 99)
	bench.say(f"{name} time over the limit, {len(over)} runs",
		f"median {median:.2f} ms, p99 {p99:.2f}, least {min(over):.2f}", "at most 2 and 10, never early",
		median <= 2 and p99 <= 10 and min(over) >= -early)


def killed_at(bench, option, key, column):
	"""How long a program ran until a limit of LIMIT_MS, in ms: the judge's word and the program's last."""
	meta, output = bench.box("--cgroup", "none", option, str(LIMIT_MS / 1000), bench.program("load"), "tell",
		ok=False)
	return float(meta[key]) * 1000, int(output.splitlines()[-1].split()[column]) / 1000


def measure_overshoot(bench):
	"""How long after its limit a program dies; and whether the judge knows how long it ran. CPU time is
	the program's own word. Wall time is the judge's: a program that waits for a processor is silent."""
	cpu = [killed_at(bench, "--time", "time", 0) for _ in range(bench.rounds)]
	wall = [killed_at(bench, "--wall-time", "time-wall", 1) for _ in range(bench.rounds)]
	say_overshoot(bench, "CPU", [own - LIMIT_MS for _, own in cpu], EARLY_MS)
	say_overshoot(bench, "wall", [max(pair) - LIMIT_MS for pair in wall], 0)
	error = percentile([abs(said - own) for said, own in cpu], 90)
	bench.say("CPU time reported of a killed program, against its own clock, nine of ten", f"{error:.2f} ms",
		"at most 1", error <= 1)


def measure_output(bench):
	"""Bytes a second from the box to a reader, and to a file."""
	amount = 100 * MIB
	command = [bench.judge, "run", "-q", "--cgroup", "none", "--output", "100M", bench.program("load"), "write",
		str(amount)]
	rates = {"/dev/null": [], "a pipe": []}
	for _ in range(7):
		begin = time.monotonic()
		bench.run(*command, stdout=subprocess.DEVNULL)
		rates["/dev/null"].append(amount / (time.monotonic() - begin))
		begin = time.monotonic()
		bench.run("/bin/sh", "-c", '"$@" | cat >/dev/null', "sh", *command)
		rates["a pipe"].append(amount / (time.monotonic() - begin))
	print(f"      stdout to a pipe: {statistics.median(rates['a pipe']) / 1e9:.2f} GB/s")
	rate = statistics.median(rates["/dev/null"]) / 1e9
	bench.say("stdout of 100 MiB", f"{rate:.2f} GB/s", "at least 1", rate >= 1)


PARTS = {"latency": measure_latency, "slowdown": measure_slowdown, "overshoot": measure_overshoot,
	"output": measure_output}


def main():
	parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
	parser.add_argument("judge")
	parser.add_argument("programs", help="folder of the compiled programs")
	parser.add_argument("--rounds", type=int, default=200)
	parser.add_argument("--only", default="*", metavar="GLOB", help=", ".join(PARTS))
	options = parser.parse_args()
	with tempfile.TemporaryDirectory(prefix="judge-bench-") as scratch:
		if not os.getuid():
			os.chown(scratch, USER, USER)
		bench = Bench(options, scratch)
		for name, part in PARTS.items():
			if fnmatch.fnmatch(name, options.only):
				part(bench)
	print("{PASS} passed, {FAIL} failed, {SKIP} skipped".format(**bench.count))
	return 1 if bench.count["FAIL"] else 0


if __name__ == "__main__":
	sys.exit(main())
