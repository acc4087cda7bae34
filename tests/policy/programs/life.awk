BEGIN { print "hello" > "life.txt"; close("life.txt"); getline line < "life.txt" }
line == "hello" { print "good", $0 }
