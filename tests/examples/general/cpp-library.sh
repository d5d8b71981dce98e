# A program that writes "hello" and ten more letters, twenty times.
[ -x ./writer ] || ${CXX:-g++} -O2 -x c++ -o writer - <<'END'
#include <iostream>
#include <string>

int main()
{
	for (int i = 0; i < 20; i++)
		std::cout << "hello" << std::string(10, 'x');
}
END
[ "$1" = build ] || ./writer >/dev/null
