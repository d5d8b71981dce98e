#!/bin/bash
# Emacs with Eglot, with the configuration of editors/README.md, as a client of the language server: diagnostics, completion,
# help, formatting
# sanitizers: no
type emacs >/dev/null || { echo "no emacs (Debian: emacs-nox)"; exit 77; }
"$TAPC" --language-server </dev/null 2>err
[[ $? != 2 ]] || { cat err; exit 77; }
fail() { echo "$*"; exit 1; }
export HOME=$PWD
mkdir bin && ln -s "$TAPC" bin/tapc
export PATH=$PWD/bin:$PATH
# Debian's package for Emacs 28 is not in the path of -Q
folders=()
for folder in /usr/share/emacs/site-lisp/elpa/*/; do
	folders+=(-L "$folder")
done
emacs -Q --batch "${folders[@]}" --eval "(unless (require 'eglot nil t) (kill-emacs 9))" >log 2>&1
[[ $? != 9 ]] || { echo "no Eglot (Emacs 29; Debian: elpa-eglot)"; exit 77; }
sed -n '/^With Eglot/,$p' "$SRC/editors/README.md" | sed -n 's/^    //p' >init.el
grep -q language-server init.el || fail "no configuration in editors/README.md"
printf 'probe begin { println(foo()) }\nprobe end{ x = strle }\n' >x.stp
cat >test.el <<'END'
(setq eglot-sync-connect 10)
(defun wait (what condition)
  (let ((end (+ (float-time) 10)))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "waited for %s" what))
      (accept-process-output nil 0.05))))
(load (concat (getenv "SRC") "/editors/emacs/tapc-mode.el") nil t)
(load (expand-file-name "init.el") nil t)
(require 'eglot)
(find-file "x.stp")
(run-hooks 'post-command-hook)		; what eglot-ensure waits for
(wait "the server" (lambda () (eglot-current-server)))
(wait "a diagnostic" (lambda () (flymake-start) (flymake-diagnostics)))
(unless (string-match-p "unknown function 'foo'" (flymake-diagnostic-text (car (flymake-diagnostics))))
  (error "diagnostic: %s" (flymake-diagnostic-text (car (flymake-diagnostics)))))
(goto-char (point-min))
(search-forward "strle")
(let ((found (all-completions "strle" (nth 2 (eglot-completion-at-point)))))
  (unless (equal (mapcar #'substring-no-properties found) '("strlen")) (error "completions: %S" found)))
(goto-char (point-min))
(search-forward "foo")
(replace-match "pid")
(goto-char (point-min))
(search-forward "strle")
(insert "n(\"\")")
(eglot-format-buffer)
(unless (equal (buffer-string) "probe begin { println(pid()) }\nprobe end { x = strlen(\"\") }\n")
  (error "formatted: %s" (buffer-string)))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
END
timeout 60 emacs -Q --batch "${folders[@]}" -l test.el >log 2>&1 || fail "$(<log)"
