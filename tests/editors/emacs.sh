#!/bin/bash
# Emacs: the mode compiles without warnings, colors the language, comments, and indents as tapc --format does
# sanitizers: no
type emacs >/dev/null || { echo "no emacs (Debian: emacs-nox)"; exit 77; }
fail() { echo "$*"; exit 1; }
export HOME=$PWD
cp "$SRC/editors/emacs/tapc-mode.el" .
emacs -Q --batch --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile tapc-mode.el >log 2>&1 || fail "$(<log)"
cat >colors.stp <<'END'
probe kernel.function("vfs_read") {	# comment, not $1
	foreach (name in reads- limit $1) printf("%d\n", @count(reads[name]))
	%( $# > 0 %? x = @2 %: y = $file->limit %)	// if
}
function f:long () { }
@define m(a) %( @a + 1 %)
/* probe */ global text = "probe \"if\" \x41"
END
cat "$SRC/tests/editors/indent.script" >indent.stp
"$TAPC" --format indent.stp >expected || exit 1
printf 'probe begin{exit()}\n' >ugly.stp
printf 'probe begin {\n' >wrong.stp
cat >test.el <<'END'
(load (expand-file-name "tapc-mode.elc") nil t)
(defvar failed nil)
(defun is (line text nth face)
  (goto-char (point-min))
  (forward-line (1- line))
  (search-forward text (line-end-position) nil nth)
  (let ((found (get-text-property (match-beginning 0) 'face)))
    (unless (eq found face)
      (setq failed t)
      (princ (format "%d %s: %s, not %s\n" line text found face)))))
(find-file "colors.stp")
(unless (eq major-mode 'tapc-mode) (error "the mode is %s" major-mode))
(font-lock-ensure)
(is 1 "probe" 1 'font-lock-keyword-face)
(is 1 "function" 1 'default)
(is 1 "vfs" 1 'font-lock-string-face)
(is 1 "comment" 1 'font-lock-comment-face)
(is 1 "$1" 1 'font-lock-comment-face)
(is 2 "foreach" 1 'font-lock-keyword-face)
(is 2 "limit" 1 'font-lock-keyword-face)
(is 2 "$1" 1 'font-lock-constant-face)
(is 2 "printf" 1 'font-lock-builtin-face)
(is 2 "@count" 1 'font-lock-builtin-face)
(is 3 "%(" 1 'font-lock-preprocessor-face)
(is 3 "$#" 1 'font-lock-constant-face)
(is 3 "@2" 1 'font-lock-constant-face)
(is 3 "$file" 1 'font-lock-variable-name-face)
(is 3 "limit" 1 'default)
(is 3 "if" 1 'font-lock-comment-face)
(is 5 "f:" 1 'font-lock-function-name-face)
(is 5 "long" 1 'font-lock-type-face)
(is 6 "@define" 1 'font-lock-preprocessor-face)
(is 6 "m(" 1 'font-lock-function-name-face)
(is 6 "@a" 1 'font-lock-preprocessor-face)
(is 7 "probe" 1 'font-lock-comment-face)
(is 7 "probe" 2 'font-lock-string-face)
(is 7 "if" 1 'font-lock-string-face)
(goto-char (point-min))
(comment-region (point-min) (line-end-position))
(unless (looking-at "# probe") (error "comment-region makes %s" (buffer-substring 1 10)))
(set-buffer-modified-p nil)
(find-file "indent.stp")
(let ((inhibit-message t)) (indent-region (point-min) (point-max)))
(write-region nil nil "indented" nil 'silent)
(setq tapc-program (getenv "TAPC"))
(find-file "ugly.stp")
(tapc-format-buffer)
(unless (equal (buffer-string) "probe begin { exit() }\n") (error "formatted: %s" (buffer-string)))
(find-file "wrong.stp")
(unless (eq 'user-error (car (condition-case e (tapc-format-buffer) (user-error e)))) (error "no error"))
(unless (equal (buffer-string) "probe begin {\n") (error "changed: %s" (buffer-string)))
(kill-emacs (if failed 1 0))
END
emacs -Q --batch -l test.el >log 2>&1 || fail "$(<log)"
cmp -s expected indented || { diff expected indented; fail "indented in another way"; }
