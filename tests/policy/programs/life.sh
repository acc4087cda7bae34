set -e
echo hello >life.txt
[ "$(cat life.txt | tr a-z A-Z)" = HELLO ]
rm life.txt
(exit 7) || [ $? = 7 ]
sleep 0.01 &
wait
read -r n
echo "good $n"
