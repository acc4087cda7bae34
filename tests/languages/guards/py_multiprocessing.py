# what: multiprocessing by fork, which takes a pipe and a semaphore
# contest: OK [0, 1, 4]
# strict: CE import of multiprocessing
from multiprocessing import Process, Pipe
def work(pipe, n): pipe.send([i * i for i in range(n)]); pipe.close()
if __name__ == "__main__":
	here, there = Pipe(False)
	p = Process(target=work, args=(there, 3)); p.start(); print(here.recv()); p.join()
