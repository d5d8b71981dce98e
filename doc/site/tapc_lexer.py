# SPDX-License-Identifier: GPL-2.0-or-later
"""The script language, for Pygments. The words are those of editors/vim/syntax/tapc.vim."""
from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.lexers.c_cpp import CLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text


class TapcLexer(RegexLexer):
	name = "tapc"
	aliases = ["tapc"]
	filenames = ["*.stp", "*.stpm"]
	tokens = {
		"root": [
			(r"\s+", Text),
			(r"#[^\n]*|//[^\n]*", Comment.Single),
			(r"/\*(?:[^*]|\*(?!/))*\*/", Comment.Multiline),
			(r"(%\{)((?:[^%]|%(?!\}))*)(%\})", bygroups(Punctuation, using(CLexer), Punctuation)),
			(r"%[(?:)]", Comment.Preproc),
			(r'"(?:\\.|[^"\\])*"', String),
			# a member or a part of a probe point may have the name of a keyword
			(r"(->|\.)(\s*)([A-Za-z_]\w*)", bygroups(Operator, Text, Name.Attribute)),
			(words(("probe", "global", "function", "private"), suffix=r"\b"), Keyword.Declaration),
			(words(("if", "else", "for", "foreach", "in", "limit", "while", "break", "continue", "next", "return", "delete",
				"try", "catch"), suffix=r"\b"), Keyword),
			(words(("string", "long"), suffix=r"\b"), Keyword.Type),
			(r"@define\b", Comment.Preproc),
			(r"@[A-Za-z_]\w*", Name.Decorator),
			(r"[$@](?:\d+|#)", Name.Variable.Instance),
			(r"\$+[A-Za-z_][\w$]*", Name.Variable),
			(r"(?:0[xX][0-9a-fA-F]+|\d+)\b", Number),
			(r"([A-Za-z_]\w*)(\s*)(\()", bygroups(Name.Function, Text, Punctuation)),
			(r"[A-Za-z_]\w*", Name),
			(r"[-+*/%&|^~!<>=?:.]+", Operator),
			(r"[][(){},;]", Punctuation),
			(r".", Text),
		],
	}
