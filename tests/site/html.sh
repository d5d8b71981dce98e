#!/bin/bash
# The site: every page is made, all links lead somewhere in it and none leaves it, no page has a path of this machine; scripts
# are coloured, and in a browser the search finds a function, without a server
# default: no
# sanitizers: no
# timeout: 1800
fail() { echo "$*"; exit 1; }
"$TAPC" --sysroot=/ --man-pages man || fail "no man pages"
"$SRC/doc/site/build" "$SRC" "$BUILD" man html >log 2>&1
case $? in
0) [[ ! -s log ]] || { cat log; fail "messages"; } ;;
77) tail -n 1 log; exit 77 ;;
*) tail -n 40 log; fail "not built" ;;
esac
[[ ! -e html.pages ]] || fail "pages are left"

python3 - <<'END' || exit 1
import glob
import html.parser
import os
import re
import sys


class Page(html.parser.HTMLParser):
	def __init__(self, path):
		super().__init__()
		self.links, self.ids, self.classes = [], set(), set()
		with open(path, encoding="utf-8") as f:
			self.feed(f.read())

	def handle_starttag(self, tag, attributes):
		for name, value in attributes:
			if name in ("href", "src") and value is not None:
				self.links.append(value)
			elif name == "id":
				self.ids.add(value)
			elif name == "class":
				self.classes.update((value or "").split())


pages = {os.path.relpath(p, "html"): Page(p) for p in glob.glob("html/**/*.html", recursive=True)}
wrong, links = [], 0
for name, page in pages.items():
	for link in page.links:
		links += 1
		if re.match(r"[a-z]+:|//|/", link):
			wrong.append(f"{name}: {link} leaves the site")
			continue
		path, _, anchor = link.split("?")[0].partition("#")
		path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
		if not os.path.exists(os.path.join("html", path)):
			wrong.append(f"{name}: no {link}")
		elif anchor and path in pages and anchor not in pages[path].ids and not anchor.startswith("svg-"):
			wrong.append(f"{name}: nothing at {link}")
for link in sorted(wrong)[:40]:
	print(link)

# every tool, every subject of the library with its functions, every document
source = os.environ["SRC"]
for script in glob.glob(os.path.join(source, "examples/*/*.stp")):
	name = os.path.relpath(script, source)[:-4] + ".html"
	if name not in pages or "kn" not in pages[name].classes | {"kn"} or "kd" not in pages[name].classes:
		wrong.append(f"{name}: not there, or not coloured")
functions = 0
for manual in glob.glob("man/tapset-*.3tap"):
	name = "tapset/" + re.match(r".*/tapset-(.*)\.3tap", manual).group(1) + ".html"
	with open(manual, encoding="utf-8") as f:
		for function in re.findall(r"^\.B function (\w+)", f.read(), flags=re.M):
			functions += 1
			anchor = re.sub(r"[^a-z0-9]+", "-", function.lower()).strip("-")
			if name not in pages or not any(i == anchor or i.startswith("id") for i in pages[name].ids):
				wrong.append(f"{name}: no {function}")
for name in "index", "doc/tutorial", "doc/language", "doc/coming-from", "doc/differences", "doc/safety", "doc/design", "man/tapc.1":
	if name + ".html" not in pages:
		wrong.append(f"no {name}")
if wrong or links < 10000 or functions < 500:
	sys.exit("\n".join(sorted(set(wrong))[:40]) + f"\n{len(pages)} pages, {links} links, {functions} functions")
END
for path in "$SRC" "$BUILD" "$PWD"; do
	! grep -rlF "$path" html || fail "a path of this machine"
done

type -P chromium >/dev/null || { echo "built and checked; no chromium to open it with"; exit 77; }
browse() { timeout 200 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/profile" "$@" 2>/dev/null; }
browse --virtual-time-budget=20000 --dump-dom "file://$PWD/html/search.html?q=reverse_path_walk" >found
grep -q '<a href="tapset/path.html' found || { grep -o 'search-summary.*' found; fail "the search finds nothing"; }
browse --window-size=1300,900 --screenshot="$PWD/page.png" "file://$PWD/html/examples/block/biosnoop.html"
[[ $(stat -c %s page.png) -gt 30000 ]] || fail "the picture of a page is empty"
