raise unless 8.times.map { |i| Thread.new { Array.new(100_000, i).sum } }.map(&:value).size == 8
File.write('life.txt', 'hello')
raise unless File.read('life.txt') == 'hello'
File.delete('life.txt')
begin
  raise 'caught'
rescue RuntimeError
end
big = 'x' * 100_000_000
GC.start
Process.wait(fork { exit! 7 })
sleep 0.001
puts "good #{gets}"
