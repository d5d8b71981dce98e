# A shell checks files: three that exist, two that do not.
cd "$(mktemp -d)" || exit
touch there1 there2 there3
for f in there1 there2 there3 missing1 missing2; do
	test -e "$f"
done
rm -f there?
