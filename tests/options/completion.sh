#!/bin/bash
# The shells complete options, and their values by kind: bash and zsh on a separate terminal, fish by what it offers
# sanitizers: no
fail() { echo "$*"; tail -n 20 screen 2>/dev/null; exit 1; }
make -s -C "$BUILD" completion/bash/tapc completion/zsh/_tapc completion/fish/tapc.fish \
	completion/bash/taprun completion/zsh/_taprun completion/fish/taprun.fish >log 2>&1 || { cat log; exit 1; }
made=$BUILD/completion
[[ -e $made ]] || made=$SRC/completion		# of a tarball, which has them
mkdir bin work
ln -s "$TAPC" bin/tapc
ln -s "$TAPRUN" bin/taprun
export PATH=$PWD/bin:$PATH HOME=$PWD
touch work/reads.stp work/reads.txt work/reads.ko
done=0

# on_terminal SHELL...: runs it there; what is typed comes from the file descriptor 3
on_terminal() { script -qfec "$*" /dev/null <typed >screen 2>&1 & }

# typed SHELL WORDS RESULT: WORDS and the tabulator make RESULT of the line; the shell's own key writes it to line
typed()
{
	rm -f line
	printf '%s\t\030s' "$2" >&3
	for ((i = 0; i < 600; i++)); do
		[[ ! -s line ]] || break
		sleep 0.1
	done
	[[ $(<line) = "$3" ]] || fail "$1: '$2' becomes '$(<line)', not '$3'"
}

# all SHELL AFTER: what is after the name of an option that takes a value
all()
{
	typed "$1" 'tapc --man-p' "tapc --man-pages$2"
	typed "$1" 'tapc --color=n' 'tapc --color=never '
	typed "$1" 'tapc --help-function execna' 'tapc --help-function execname '
	typed "$1" 'tapc -l kprobe.mod' 'tapc -l kprobe.module '
	typed "$1" 'tapc -a risc' 'tapc -a riscv64 '
	typed "$1" 'tapc -p1 reads' 'tapc -p1 reads.stp '
	typed "$1" 'tapc opensn' 'tapc opensnoop '
	typed "$1" 'tapc opensnoop --fai' 'tapc opensnoop --failed '
	typed "$1" 'taprun --output js' 'taprun --output json '
	typed "$1" 'taprun -T 1 rea' 'taprun -T 1 reads.ko '
	done=$((done + 1))
}

mkfifo typed
if type -P script >/dev/null; then
	cat >bashrc <<-EOS
		cd work
		PS1='> '
		bind 'set enable-bracketed-paste off' 'set bell-style none'
		for file in tapc taprun; do . "$made/bash/\$file"; done
		show() { printf %s "\$READLINE_LINE" >../line.new; mv ../line.new ../line; READLINE_LINE=; }
		bind -x '"\C-xs": show'
	EOS
	on_terminal bash --noprofile --rcfile bashrc -i
	exec 3>typed
	all bash ' '
	printf 'exit\n' >&3
	exec 3>&-
	wait
	if type -P zsh >/dev/null; then
		cat >.zshrc <<-EOS
			cd work
			PS1='> '
			unsetopt beep
			fpath=("$made/zsh" \$fpath)
			autoload -Uz compinit
			compinit -u -D
			show() { printf %s "\$BUFFER" >../line.new; mv ../line.new ../line; BUFFER=; }
			zle -N show
			bindkey '^Xs' show
		EOS
		on_terminal zsh -d -i
		exec 3>typed
		all zsh =
		printf 'exit\n' >&3
		exec 3>&-
		wait
	fi
fi
if type -P fish >/dev/null; then
	cd work || exit 1
	# offered WORDS OFFER
	offered()
	{
		fish --no-config -c "source $made/fish/tapc.fish; source $made/fish/taprun.fish
			complete -C '$1'" >../screen 2>&1
		cut -f 1 ../screen | grep -qxF -- "$2" || { cd ..; fail "fish: '$1' does not offer '$2'"; }
	}
	offered 'tapc --man-p' --man-pages
	offered 'tapc --color=n' --color=never
	offered 'tapc --help-function execna' execname
	offered 'taprun --output js' json
	offered 'tapc rea' reads.stp
	offered 'tapc rea' readers
	done=$((done + 1))
fi
[[ $done != 0 ]] || { echo "no script(1), no fish"; exit 77; }
