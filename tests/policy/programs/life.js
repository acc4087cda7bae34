// What a Node program may do: each step must succeed, or fail where it is the policy's to refuse.
'use strict';
const assert = require('assert'), fs = require('fs'), net = require('net'), path = require('path');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function deeper(n) {
	return deeper(n + 1) + 1;
}

function worker() {
	return new Promise(done => {
		const w = new Worker(__filename);
		w.on('message', m => w.terminate().then(() => done(m)));
	});
}

function socket() {
	return new Promise(done => net.connect(80, '127.0.0.1').on('error', e => done(e.code)).on('connect', () => done('')));
}

async function main() {
	assert.throws(() => deeper(0), RangeError);
	for (let i = 0; i < 300; i++)
		assert.equal(new Array(100000).fill(i)[7], i);
	fs.writeFileSync('life.txt', 'hello');
	assert.equal(fs.readFileSync('life.txt', 'utf8'), 'hello');
	assert(fs.readdirSync('.').includes('life.txt'));
	fs.unlinkSync('life.txt');
	require('crypto').randomBytes(8);
	require('child_process').spawnSync('true');
	assert.equal(await worker(), 7);
	assert.notEqual(await socket(), '');
	await new Promise(done => setTimeout(done, 1));
	console.log('good', (await fs.promises.readFile('/dev/stdin', 'utf8')).trim(), path.sep);
}

if (isMainThread)
	main();
else
	parentPort.postMessage(7);
