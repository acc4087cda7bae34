// One act of a contestant's program, by its name.
'use strict';
const fs = require('fs');

const deep = (n) => n === 0 ? 0 : deep(n - 1) + 1;

function memory() {
	const all = [];
	for (;;)
		all.push(new Array(1 << 16).fill(all.length));
}

function buffers() {
	const all = [];
	for (;;)
		all.push(Buffer.alloc(1 << 20, 1));
}

function threads() {
	const { Worker } = require('worker_threads');
	let sum = 0, left = 2;
	for (let i = 0; i < 2; i++)
		new Worker('let s = 0; for (let k = 1; k <= 1000; k++) s += k;' +
			'require("worker_threads").parentPort.postMessage(2 * s)', { eval: true })
			.on('message', (part) => { sum += part; if (--left === 0) console.log(sum); });
}

function reach() {
	try {
		const s = require('net').connect(+process.argv[3], '127.0.0.1');
		s.on('connect', () => { console.log('connected'); s.destroy(); });
		s.on('error', () => console.log('refused'));
	} catch {
		console.log('refused');
	}
}

function child() {
	try {
		const done = require('child_process').spawnSync('/bin/sh', ['-c', 'exit 7']);
		console.log(done.error ? 'refused' : `child ${done.status}`);
	} catch {
		console.log('refused');
	}
}

const acts = {
	hello: () => console.log('hello, world'),
	deep: () => console.log(deep(100000)),
	endless: () => console.log(deep(-1)),
	memory, buffers, threads, socket: reach, fork: child,
	loop: () => { for (;;); },
	error: () => { throw new Error('uncaught'); },
	exit3: () => process.exit(3),
	missing: () => console.log(fs.existsSync('missing.txt') ? 'there' : 'missing'),
	tmp: () => {
		fs.writeFileSync('/tmp/act.txt', 'kept');
		console.log(fs.readFileSync('/tmp/act.txt', 'utf8'));
	},
	unicode: () => {
		for (const line of fs.readFileSync('/dev/stdin', 'utf8').trimEnd().split('\n'))
			console.log(`ä€😀 ${line}`);
	},
};

acts[process.argv[2] || 'hello']();
