/*
 * Preloaded into Node 18 and later before a contestant's program, and into each of its workers:
 *
 *	JUDGE_LEVEL=contest node --require /judge/guard.js main.js
 *
 * contest	refuses what starts programs, loads native code, reaches the network or another process's memory.
 * strict	allows only the modules of a list, by require, import and getBuiltinModule. Code from strings is
 *		refused by --disallow-code-generation-from-strings on the command line, for it is V8's to refuse.
 *
 * The functions below node's own library (its bindings) are replaced, so that it is the same whether a module came
 * by require, import, createRequire or a copy that node kept. It costs no loading of modules.
 *
 * Policy, not a boundary: node says so of its own permission model. On Node before 22.15 `import` cannot
 * be filtered from here at strict: what it gets then of the network, of child_process, vm, module and worker_threads does
 * not work, but the rest loads. A fault of V8 is past all of it, and meets the kernel.
 */
'use strict';

const Module = require('module');
const workers = require('worker_threads');
const vm = require('vm');

const level = process.env.JUDGE_LEVEL === 'strict' ? 'strict' : 'contest';
delete process.env.JUDGE_LEVEL;

const CONTEST_REFUSED = `child_process cluster net tls dgram http https http2 dns dns/promises inspector
inspector/promises repl trace_events`;

const STRICT_ALLOWED = `assert assert/strict async_hooks buffer console constants crypto events fs fs/promises
os path path/posix perf_hooks process punycode querystring readline readline/promises stream stream/consumers
stream/promises stream/web string_decoder timers timers/promises tty url util util/types zlib`;

const REFUSED_OF_PROCESS = `binding _linkedBinding dlopen execve setuid seteuid setgid setegid setgroups initgroups
_debugProcess _debugEnd _startProfilerIdleNotifier _kill`;

const Failure = Error;
const words = (text) => new Set(text.split(/\s+/));
const contestRefused = words(CONTEST_REFUSED);
const strictAllowed = words(STRICT_ALLOWED);

// What a program could change later is taken from its prototype now.
const call = Function.prototype.call;
const bound = (method) => call.bind(method);
const has = bound(Set.prototype.has);
const startsWith = bound(String.prototype.startsWith);
const slice = bound(String.prototype.slice);
const includes = bound(String.prototype.includes);
const split = bound(String.prototype.split);
const exec = bound(RegExp.prototype.exec);
const apply = Reflect.apply;
const define = Object.defineProperty;

function stop(what) {
	const e = new Failure(`refused by the judge's rules, level ${level}: ${what}`);
	e.code = 'ERR_ACCESS_DENIED';
	throw e;
}

const refusal = (what) => function () { stop(what); };

function refuse(object, names, of) {
	for (const name of names)
		if (object && typeof object[name] === 'function')
			define(object, name, { value: refusal(of + name), writable: false, configurable: false });
}

const bindingOf = process.binding;

function binding(name) {
	try {
		return apply(bindingOf, process, [name]);
	} catch {
		return undefined;	// not every version offers each
	}
}

function refusePrograms() {
	const wrap = binding('process_wrap');
	const sync = binding('spawn_sync');

	refuse(wrap && wrap.Process.prototype, ['spawn'], 'child_process ');
	refuse(sync, ['spawn'], 'child_process ');
}

// Streams over descriptors that are there (stdin as a pipe) use open(), which stays. Under the permission model
// node keeps its bindings to itself: then the modules over them are what can be changed.
function refuseNetwork() {
	const calls = ['bind', 'bind6', 'listen', 'connect', 'connect6', 'send', 'send6'];
	const tcp = binding('tcp_wrap'), pipe = binding('pipe_wrap'), udp = binding('udp_wrap');

	refuse(tcp && tcp.TCP.prototype, calls, 'network ');
	refuse(pipe && pipe.Pipe.prototype, calls, 'network ');
	refuse(udp && udp.UDP.prototype, calls, 'network ');
	refuse(binding('cares_wrap'), ['getaddrinfo', 'getnameinfo'], 'network ');
	if (tcp)
		return;
	refuse(require('net').Socket.prototype, ['connect'], 'network ');
	refuse(require('net').Server.prototype, ['listen'], 'network ');
	refuse(require('dgram').Socket.prototype, ['bind', 'connect', 'send'], 'network ');
}

// /proc/N of others and memory by its file. Links are not followed.
function foreign(path) {
	const parts = [];

	for (const part of split(path[0] === '/' ? path : `${process.cwd()}/${path}`, '/'))
		if (part === '..')
			parts.length -= parts.length ? 1 : 0;
		else if (part !== '' && part !== '.')
			parts[parts.length] = part;
	if (parts[0] !== 'proc' || parts.length < 3)
		return false;
	return parts[parts.length - 1] === 'mem' ||
		exec(/^\d+$/, parts[1]) !== null && parts[1] !== `${process.pid}`;
}

function guardFiles() {
	const files = binding('fs');

	for (const name of ['open', 'openFileHandle', 'readFileUtf8', 'writeFileUtf8']) {
		const function_ = files && files[name];
		if (typeof function_ !== 'function')
			continue;
		files[name] = function (path, ...rest) {
			const text = typeof path === 'number' ? '' : `${path}`;
			if (includes(text, 'proc') && foreign(text))
				stop(`open ${text}`);
			return apply(function_, this, [path, ...rest]);
		};
	}
}

const isBuiltin = Module.isBuiltin;

function check(name) {
	const plain = startsWith(name, 'node:') ? slice(name, 5) : name;
	
	if (isBuiltin(name) && (level === 'strict' ? !has(strictAllowed, plain) : has(contestRefused, plain)))
		stop(`module ${name}`);
}

function guardModules() {
	const load = Module._load;

	define(Module, '_load', { writable: false, configurable: false, value: function (request, parent, main) {
		if (typeof request === 'string')
			check(request);
		return apply(load, this, [request, parent, main]);
	} });
	if (process.getBuiltinModule) {
		const get = process.getBuiltinModule;
		define(process, 'getBuiltinModule', { writable: false, configurable: false, value(name) {
			check(`${name}`);
			return apply(get, process, [`${name}`]);
		} });
	}
	if (level === 'strict' && Module.registerHooks)
		Module.registerHooks({ resolve(specifier, context, next) {
			check(specifier);
			return next(specifier, context);
		} });
	refuse(Module, ['register', 'registerHooks'], 'module.');
	define(Module._extensions, '.node', { value: refusal('native module'), writable: false,
		configurable: false });
}

// A worker starts with this file: Node 18 forgets it where the worker has an environment of its own.
function guardWorkers() {
	const Worker = workers.Worker;

	define(workers, 'Worker', { enumerable: true, writable: false, configurable: false,
		value: level === 'strict' ? refusal('worker_threads') : class extends Worker {
			constructor(file, options) {
				super(file, { ...options, execArgv: ['--no-warnings', '--require', __filename] });
			}
		} });
	define(Worker.prototype, 'constructor', { value: workers.Worker });
}

function guardProcess() {
	refuse(process, words(REFUSED_OF_PROCESS), 'process.');
	if (level !== 'strict')
		return;
	refuse(process, ['kill', 'chdir', 'umask'], 'process.');
	define(process, 'report', { value: undefined, writable: false, configurable: false });
	for (const name of ['fetch', 'WebSocket', 'EventSource', 'WebAssembly'])
		delete globalThis[name];
	refuse(vm, Object.keys(vm), 'vm.');
}

refusePrograms();
refuseNetwork();
guardFiles();
guardProcess();
guardWorkers();
guardModules();
delete require.cache[__filename];
Module.syncBuiltinESMExports();
