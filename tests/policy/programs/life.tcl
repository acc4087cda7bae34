set f [open life.txt w]
puts $f hello
close $f
file delete life.txt
catch {error caught}
after 1
puts "good [gets stdin]"
