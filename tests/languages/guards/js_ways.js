// what: each way to a module that starts programs, loads code, or reaches memory and the network
// contest: OK refused 11 of 11
// strict: OK refused 11 of 11
const ways = {
	require: () => require('child_process'), node: () => require('node:net'), load: () => module.constructor._load('child_process'),
	main: () => process.mainModule.require('child_process'), builtin: () => process.getBuiltinModule ? process.getBuiltinModule('child_process') : require('net'),
	binding: () => process.binding('spawn_sync'), linked: () => process._linkedBinding('spawn_sync'),
	dlopen: () => process.dlopen({ exports: {} }, '/box/main.js'), extension: () => require.extensions['.node'](module, '/box/main.js'),
	memory: () => require('fs').openSync('/proc/self/mem', 'r+'), other: () => require('fs').readFileSync('/proc/1/environ', 'utf8'),
};
let n = 0;
for (const [name, way] of Object.entries(ways))
	try { way(); console.log('BREACH', name); } catch (e) { if (e.code === 'ERR_ACCESS_DENIED') n++; else console.log(name, e.message); }
console.log(`refused ${n} of ${Object.keys(ways).length}`);
