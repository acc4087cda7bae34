// what: deep recursion in a worker with a large stack; the worker has the rules too, whatever it is started with
// contest: OK 100000 refused
// strict: RTE module worker_threads
const { Worker, isMainThread, parentPort } = require('worker_threads');
const f = (n) => n ? 1 + f(n - 1) : 0;
function inside() { try { require('child_process'); return 'BREACH'; } catch { return 'refused'; } }
if (isMainThread)
	new Worker(__filename, { resourceLimits: { stackSizeMb: 64 }, execArgv: [], env: {} }).on('message', (m) => console.log(m));
else
	parentPort.postMessage(`${f(100000)} ${inside()}`);
