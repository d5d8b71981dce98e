// [CALLS]: the same calls all the time, each round's first of which calls getppid(2); the program ends when the file
// "over" exists. Rounds of many calls are compiled.
const fs = require('fs');

function inner(n) { return n ? n : process.ppid; }
function middle(n) { return inner(n) + 1; }
function outer(n) { return middle(n) + 1; }

function turns(count)
{
	let sum = 0;

	for (let i = 0; i < count; i++)
		sum += outer(i);
	return sum;
}

function again()
{
	turns(+process.argv[2]);
	if (!fs.existsSync('over'))
		setTimeout(again, 20);
}
again();
