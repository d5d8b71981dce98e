;;; tapc-mode.el --- Major mode for scripts of tapc  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: GPL-2.0-or-later
;; Keywords: languages

;;; Commentary:

;; Colors, comments and indentation for .stp and .stpm files.  `tapc-format-buffer' runs tapc --format.
;; tests/editors/words.sh compares the words with the translator's tables.

;;; Code:

(defgroup tapc nil "Scripts of tapc." :group 'languages)

(defcustom tapc-program "tapc"
  "The program that formats scripts."
  :type 'string)

(defconst tapc-declarations '("probe" "global" "private" "function"))
(defconst tapc-statements
  '("if" "else" "for" "foreach" "in" "limit" "while" "break" "continue" "next" "return" "delete" "try" "catch"))
(defconst tapc-types '("string" "long"))
(defconst tapc-prints
  '("print" "println" "printf" "printd" "printdln" "print_char" "sprint" "sprintln" "sprintf" "sprintd" "sprintdln"))
(defconst tapc-operators
  '("count" "sum" "min" "max" "avg" "variance" "percentile" "hist_log" "hist_linear" "cast" "var" "entry" "defined"
    "probewrite" "perf" "const" "kderef" "uderef" "kregister" "uregister" "enum" "enumname" "sizeof" "offsetof"
    "container_of" "option" "packet_matches" "row"))

(defconst tapc-font-lock-keywords
  `(("->[ \t]*\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1 'default)
    ("\\.\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1 'default)
    ("\\_<function\\_>[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1 font-lock-function-name-face)
    ("@define[ \t]+\\([a-zA-Z_][a-zA-Z0-9_]*\\)" 1 font-lock-function-name-face)
    ("@define\\_>" . font-lock-preprocessor-face)
    ("%[(?:)]" . font-lock-preprocessor-face)
    (,(concat "@" (regexp-opt tapc-operators) "\\_>") . font-lock-builtin-face)
    ("@[a-zA-Z_][a-zA-Z0-9_]*" . font-lock-preprocessor-face)
    ("[$@]\\(?:[0-9]+\\|#\\)" . font-lock-constant-face)
    ("\\$+[a-zA-Z_][a-zA-Z0-9_$]*" . font-lock-variable-name-face)
    (,(regexp-opt tapc-declarations 'symbols) . font-lock-keyword-face)
    (,(regexp-opt tapc-statements 'symbols) . font-lock-keyword-face)
    (,(regexp-opt tapc-types 'symbols) . font-lock-type-face)
    (,(regexp-opt tapc-prints 'symbols) . font-lock-builtin-face))
  "What `tapc-mode' colors.")

(defvar tapc-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "< b" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?$ "_" table)
    (modify-syntax-entry ?@ "'" table)
    (dolist (c '(?% ?& ?| ?+ ?- ?= ?< ?> ?! ?? ?: ?. ?^ ?~))
      (modify-syntax-entry c "." table))
    table))

;; $# and @# are no comments
(defconst tapc-syntax-propertize (syntax-propertize-rules ("[$@]\\(#\\)" (1 "."))))

(defun tapc--line-indentation (position)
  "The indentation of the line at POSITION."
  (save-excursion (goto-char position) (current-indentation)))

(defun tapc--previous-code ()
  "Move to the end of the code before point; nil if there is none."
  (forward-comment (- (point)))
  (not (bobp)))

(defun tapc--header-start ()
  "If point is after the header of a body, the position where the header begins."
  (save-excursion
    (cond ((eq (char-before) ?\))
           (ignore-errors
             (backward-list)
             (skip-chars-backward " \t")
             (let ((end (point)))
               (skip-chars-backward "a-z")
               (and (member (buffer-substring (point) end) '("if" "while" "for" "foreach"))
                    (point)))))
          ((looking-back "\\_<else" (- (point) 4)) (- (point) 4)))))

(defun tapc--statement-start ()
  "Move from the end of a statement to the start of its first line."
  (let ((open (nth 1 (syntax-ppss (line-beginning-position)))))
    (while (and open (memq (char-after open) '(?\( ?\[)))
      (goto-char open)
      (setq open (nth 1 (syntax-ppss (line-beginning-position)))))
    (back-to-indentation)))

(defun tapc--outermost ()
  "Move from the start of a statement to the outermost header that it ends."
  (let (header)
    (while (setq header (save-excursion (and (not (eq (char-after) ?{)) (tapc--previous-code) (tapc--header-start))))
      (goto-char header)
      (back-to-indentation))))

(defun tapc--declaration ()
  "The indentation of the declaration whose body begins after point; or nil."
  (save-excursion
    (let ((end (point)))
      (when (re-search-backward "^[ \t]*\\(?:probe\\|function\\|private\\)\\_>" nil t)
        (unless (save-excursion (re-search-forward "^[^#\"]*[{}][ \t]*$" end t))
          (current-indentation))))))

(defun tapc--indentation ()
  "The indentation of the current line."
  (save-excursion
    (back-to-indentation)
    (let* ((open (nth 1 (syntax-ppss)))
           (closes (looking-at "[])}]\\|%)"))
           (brace (looking-at "{"))
           (branch (and open (eq (char-before open) ?%) (eq (char-after open) ?\()
                        (save-excursion (goto-char open) (looking-at ".*%\\?")))))
      (cond ((nth 4 (syntax-ppss)) (+ (tapc--line-indentation (nth 8 (syntax-ppss))) 1))
            (closes (if open (tapc--line-indentation open) 0))
            ((and open (not branch) (memq (char-after open) '(?\( ?\[)))
             (+ (tapc--line-indentation open) tab-width))
            ((not (tapc--previous-code)) 0)
            ((tapc--header-start)
             (+ (tapc--line-indentation (tapc--header-start)) (if brace 0 tab-width)))
            ((and brace (tapc--declaration)))
            ((save-excursion (back-to-indentation) (looking-at "probe\\_>.*[,=][ \t]*$"))
             (+ (current-indentation) tab-width))
            ((and open (eq (point) (1+ open))) (+ (current-indentation) tab-width))
            (t (tapc--statement-start) (tapc--outermost) (current-indentation))))))

(defun tapc-indent-line ()
  "Indent the current line: a tab per block, body and continued line."
  (let ((position (- (point-max) (point))))
    (unless (nth 3 (syntax-ppss (line-beginning-position)))
      (indent-line-to (tapc--indentation))
      (when (> (- (point-max) position) (point))
        (goto-char (- (point-max) position))))))

(defun tapc-format-buffer ()
  "Replace the buffer by what tapc --format prints, unless it has an error."
  (interactive)
  (let ((result (generate-new-buffer " *tapc-format*")) (source (current-buffer)))
    (unwind-protect
        (if (eq 0 (call-process-region (point-min) (point-max) tapc-program nil (list result nil) nil "--format"))
            (with-current-buffer source (replace-buffer-contents result))
          (user-error "The script has an error: tapc --format does not change it"))
      (kill-buffer result))))

;;;###autoload
(define-derived-mode tapc-mode prog-mode "tapc"
  "Major mode for scripts of tapc."
  (setq-local font-lock-defaults '(tapc-font-lock-keywords))
  (setq-local syntax-propertize-function tapc-syntax-propertize)
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?:#+\\|//+\\|/\\*+\\)[ \t]*")
  (setq-local indent-line-function #'tapc-indent-line)
  (setq-local indent-tabs-mode t)
  (setq-local tab-width 8)
  (setq-local fill-column 120))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.stpm?\\'" . tapc-mode))
;;;###autoload
(add-to-list 'interpreter-mode-alist '("tapc" . tapc-mode))

(provide 'tapc-mode)
;;; tapc-mode.el ends here
