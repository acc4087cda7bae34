// what: code from strings, and vm, only below strict
// contest: OK 2 2 2
// strict: OK EvalError EvalError ERR_ACCESS_DENIED
const tell = (f) => { try { return f(); } catch (e) { return e.code || e.name; } };
console.log(tell(() => eval('1+1')), tell(() => new Function('return 2')()), tell(() => require('vm').runInThisContext('2')));
