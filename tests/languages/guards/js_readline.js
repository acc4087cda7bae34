// what: process.stdin's events and readline's async iterator
// contest: OK 6
// strict: OK 6
// stdin: 6
(async () => { for await (const line of require('readline').createInterface({ input: process.stdin })) console.log(line); })();
