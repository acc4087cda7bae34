# what: an event loop, which wakes itself through a socket pair
# contest: OK 7
# strict: CE import of asyncio
import asyncio
async def f():
	await asyncio.sleep(0)
	return 7
print(asyncio.run(f()))
