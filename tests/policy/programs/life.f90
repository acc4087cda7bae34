program life
  implicit none
  real(8), allocatable :: a(:)
  integer :: n
  allocate(a(10000000))
  a = 1
  open(10, file='life.txt')
  write(10, *) sum(a)
  close(10, status='delete')
  read(*, *) n
  write(*, '(a,i0)') 'good ', n
end program
