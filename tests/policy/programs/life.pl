use strict;
use warnings;
my $child = fork();
exit 7 if !$child;
waitpid($child, 0);
die "child" if $? >> 8 != 7;
open(my $f, '>', 'life.txt') or die;
flock($f, 2);    # refused, and no matter
print $f "hello";
close $f or die;
unlink 'life.txt' or die;
eval { die "caught" };
die if $@ !~ /caught/;
my $big = 'x' x 100_000_000;
my $echo = `echo hello`;
select(undef, undef, undef, 0.001);
print "good ", scalar(<STDIN>);
