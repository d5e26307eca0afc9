#!/usr/bin/env python3
"""What doxygen sees of a public header: tools/doxygen_filter.py FILE prints it; --self-test proves what it does.

The headers are written to be read as they are; this says the same in doxygen's words, with every line at its place:

    the comment at the top           the group of the header
    a comment behind a declaration   belongs to that declaration
    a comment before some            belongs to each of them that has none, up to the next blank line
    --- Heading ---                  heads a section
"""
import pathlib
import re
import sys

TOP = re.compile(r"\A/\* cairn/(\w+)\.h -- ")
SECTION = re.compile(r"^/\* --- (.*?) ---( \*/)?$")
BEHIND = re.compile(r"(?<=\S)(\s+)/\* ")
DECLARATION = re.compile(r"^(CRN_API|typedef|#define CRN_)")


def escaped(text):
    """A comment without what doxygen would take for a command, for a tag or for the end of a sentence."""
    text = text.replace("\\", "\\\\").replace(" eq. ", " eq.\\ ")
    return re.sub(r"<(?=[A-Za-z/])", r"\\<", text)


def comment_lines(lines, first):
    """Index behind the comment that begins at lines[first]."""
    last = first
    while "*/" not in lines[last]:
        last += 1
    return last + 1


def behind(line):
    """A declaration whose comment follows it on the line."""
    return BEHIND.sub(r"\1/**< ", line) if not line.lstrip().startswith("/*") else line


class Filter:
    def __init__(self, text):
        self.group = TOP.match(text)[1]
        self.lines = [escaped(line) if "*" in line else line for line in text.splitlines()]
        self.out = []
        self.shared = ""  # the comment before some declarations, on one line
        self.is_used = False
        self.in_section = False

    def top(self):
        end = comment_lines(self.lines, 0)
        first = TOP.sub("", self.lines[0])
        title = first.removesuffix("*/").split(". ")[0].rstrip(" .")
        self.out.append(f"/** @defgroup {self.group} {self.group}.h: {title}")
        if end == 1:
            self.out[-1] += " */"
        self.out += self.lines[1:end]
        self.out[-1] += "  /** @{ */"
        return end

    def section(self, index):
        """A heading; what follows it in the same comment is its text."""
        end = comment_lines(self.lines, index)
        title = SECTION.match(self.lines[index])[1]
        close = "/** @} */ " if self.in_section else ""
        self.in_section = True
        self.out.append(f"{close}/** @name {title}" + (" */" if end == index + 1 else ""))
        self.out += self.lines[index + 1:end]
        self.out[-1] += "  /** @{ */"
        return end

    def shared_comment(self, index):
        end = comment_lines(self.lines, index)
        self.out += self.lines[index:end]
        self.shared = " ".join(line.strip() for line in
                               (text.removeprefix("/**").removesuffix("*/").lstrip(" *") for text in self.lines[index:end]))
        self.is_used = False
        return end

    def declaration(self, index):
        """To the line that ends it; the comment before it is said again if it is not the first."""
        end = index
        while not self.lines[end].split("/*")[0].rstrip().endswith((";", "{")) and not self.lines[end].startswith("#"):
            end += 1
        text = [behind(line) for line in self.lines[index:end + 1]]
        has_own = "/**<" in text[-1] and not text[-1].split("/*")[0].rstrip().endswith("{")
        if self.shared and self.is_used and not has_own:
            text[0] = f"/** {self.shared} */ {text[0]}"
        self.is_used = True
        self.out += text
        return end + 1

    def run(self):
        index = self.top()
        last = max(i for i, line in enumerate(self.lines) if line == "#endif")
        while index < len(self.lines):
            line = self.lines[index]
            if SECTION.match(line):
                index = self.section(index)
                continue
            if line.startswith("/** "):
                index = self.shared_comment(index)
                continue
            if DECLARATION.match(line):
                index = self.declaration(index)
                continue
            if line == "" or line.startswith("}"):
                self.shared = ""
            if index == last:
                line = ("/** @} */ " if self.in_section else "") + "/** @} */\n" + line
            self.out.append(behind(line))
            index += 1
        return "\n".join(self.out) + "\n"


EXAMPLE = """/* cairn/toy.h -- a toy. More.
 */
/** Both. */
CRN_API int crn_one(void);
CRN_API int crn_two(void);
CRN_API int crn_own(void); /* its own, see <toy.h> */

CRN_API int crn_bare(void);
/* --- Life --- */
typedef enum crn_kind {
    CRN_A, /* first */
    CRN_B  /* last [K eq. 1] */
} crn_kind;
#endif
"""


def self_test():
    out = Filter(EXAMPLE).run()
    for line in ["/** @defgroup toy toy.h: a toy", "/** Both. */ CRN_API int crn_two(void);",
                 r"CRN_API int crn_own(void); /**< its own, see \<toy.h> */", "\nCRN_API int crn_bare(void);",
                 "/** @name Life */  /** @{ */", "CRN_A, /**< first */", r"CRN_B  /**< last [K eq.\ 1] */"]:
        assert line in out, (line, out)
    assert out.count("@{") == out.count("@}") == 2, out
    # Every line stays at its place, so that doxygen's messages name the right one.
    assert out.splitlines()[5].startswith("CRN_API int crn_own"), out
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    sys.stdout.write(Filter(pathlib.Path(sys.argv[1]).read_text()).run())
