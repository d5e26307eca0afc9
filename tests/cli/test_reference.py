"""cairn reference: what the commands tell of themselves, in other forms; and help. Shells and readers of manual pages
that are not there are left out.

    tests/cli/test_reference.py PROGRAM
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from cli_case import Case, run_tests

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMS = ["markdown", "man", "bash", "zsh", "fish"]


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"there is no {program}")


class ReferenceCase(Case):
    def commands(self):
        """Names of the commands as --help lists them."""
        return re.findall(r"^  (\w+) +\w", self.good(0, "--help"), re.MULTILINE)

    def options(self, command):
        """Options of a command, with their values, as its help lists them."""
        return re.findall(r"^  (--?[a-z-]+)(?: ([A-Z]+))? ", self.good(0, command, "--help"), re.MULTILINE)

    def form(self, name):
        """A form in a file of the folder; returns the path."""
        path = self.folder / f"cairn.{name}"
        path.write_text(self.good(0, "reference", name))
        return path

    def check_typed(self, shell, setup, keys, wanted):
        """Type into a shell as a user does; cairn there prints its arguments as <a><b>."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe(shell[0], shell, {**os.environ, "TERM": "dumb", "INPUTRC": "/dev/null"})
        os.write(terminal, f"{setup}; cairn() {{ printf '<%s>' \"$@\"; }}; echo rea''dy\n".encode())
        seen, end = "", time.monotonic() + 20
        while time.monotonic() < end and wanted not in seen:
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 4096).decode(errors="replace")
                if "ready" in seen and keys:
                    os.write(terminal, keys.encode())
                    keys = ""
        os.close(terminal)  # ends the shell
        os.waitpid(pid, 0)
        self.assertIn(wanted, seen)


class Help(ReferenceCase):
    def test_every_way_to_ask(self):
        text = self.good(0, "sim", "--help")
        for arguments in [("help", "sim"), ("sim", "-h"), ("sim", "scene.json", "--dt", "1", "--help")]:
            self.assertEqual(self.good(0, *arguments), text)
        self.assertEqual(self.good(0, "help"), self.good(0, "--help"))

    def test_behind_two_dashes_it_is_a_file(self):
        self.bad("--help", "sim", "--", "--help")

    def test_unknown(self):
        self.bad(["unknown command 'smi'", "sim"], "help", "smi")
        self.bad(["unknown form 'mann'", "did you mean man?"], "reference", "mann")
        self.bad("no form named", "reference")
        self.bad(["unknown family", "did you mean peg?"], "demo", "--family", "pg")

    def test_every_command_has_help_of_the_same_shape(self):
        commands = self.commands()
        self.assertIn("reference", commands)
        for command in commands:
            text = self.good(0, command, "--help")
            self.assertTrue(text.startswith(f"usage: cairn {command}"), text)
            self.assertIn(("--help", ""), self.options(command))
            self.assertLessEqual(max(len(line) for line in text.splitlines()), 130)


class Documents(ReferenceCase):
    def test_the_page_is_up_to_date(self):
        page = ROOT / "docs/reference/cli.md"
        self.assertTrue(page.read_text() == self.good(0, "reference", "markdown"),
                        f"{page} is not what the program tells; renew it: make reference")

    def test_every_form_has_every_option(self):
        for form in FORMS:
            text = self.form(form).read_text().replace("\\-", "-")
            for command in self.commands():
                self.assertIn(command, text)
                for option, _ in self.options(command):
                    wanted = {"fish": f"-l {option[2:]} " if option.startswith("--") else f"-s {option[1:]} "}
                    self.assertIn(wanted.get(form, option), text, form)

    def test_man_has_no_line_that_roff_takes_for_a_request(self):
        macros = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".br"}
        for line in self.form("man").read_text().splitlines():
            self.assertTrue(line.isascii(), line)
            self.assertNotEqual(line[:1], "'", line)
            self.assertTrue(line[0] != "." or line.split()[0] in macros, line)

    @needs("mandoc")
    def test_mandoc_has_no_complaint(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", self.form("man")], capture_output=True, text=True,
                              check=False)
        # No date: the same program makes the same page on every day.
        complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(complaints, [])

    @needs("groff")
    def test_groff_has_no_complaint_and_shows_it(self):
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", "-P-cbou", self.form("man")], capture_output=True,
                              check=True)
        self.assertEqual(done.stderr.decode(), "")
        text = done.stdout.decode().replace("\u2010", "-")
        for words in ["--max-pivots N", "EXIT STATUS", "cairn-papers", "cairn sim --list", "lemke-lex"]:
            self.assertIn(words, text)


class Bash(ReferenceCase):
    def setUp(self):
        super().setUp()
        for name in ["M.mtx", "q.mtx", "notes.txt", "two words.mtx", "box.json", "arm.urdf"]:
            (self.folder / name).write_text("")
        (self.folder / "sub").mkdir()
        self.script = self.form("bash")

    def offers(self, line, breaks=" \t\n\"'><=;|&(:"):
        """What the function of complete -F offers at the end of the line."""
        script = f"""
            source {self.script}
            COMP_WORDBREAKS=$2 COMP_LINE=$1 COMP_POINT=${{#1}}
            read -ra COMP_WORDS <<<"$1"; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            $(complete -p cairn | sed 's/.*-F \\([^ ]*\\).*/\\1/') cairn "" ""
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", line, breaks], cwd=self.folder, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split("\n")[:-1]) if done.stdout.strip() else []

    def test_commands(self):
        self.assertEqual(self.offers("cairn so"), ["solve"])
        self.assertEqual(self.offers("cairn "), sorted(self.commands() + ["--help", "--version"]))
        self.assertEqual(self.offers("cairn help de"), ["demo"])
        self.assertEqual(self.offers("cairn nothing "), [])

    def test_options(self):
        for command in self.commands():
            self.assertEqual(self.offers(f"cairn {command} -"), sorted(option for option, _ in self.options(command)))
        self.assertEqual(self.offers("cairn solve M.mtx --ma"), ["--max-pivots"])

    def test_names(self):
        self.assertEqual(self.offers("cairn solve --method le"), ["lemke", "lemke-lex"])
        self.assertEqual(self.offers("cairn reference "), sorted(FORMS))
        self.assertEqual(self.offers("cairn demo --family pe"), ["peg"])
        self.assertEqual(self.offers("cairn solve --tol "), [])

    def test_behind_an_equals_sign(self):
        """Where bash breaks words at '=', only what follows it is replaced."""
        self.assertEqual(self.offers("cairn solve --method=le"), ["lemke", "lemke-lex"])
        self.assertEqual(self.offers("cairn solve --method=le", " "), ["--method=lemke", "--method=lemke-lex"])

    def test_gallery(self):
        self.assertEqual(self.offers("cairn sim gallery:box-on", " "), ["gallery:box-on-floor"])
        self.assertEqual(self.offers("cairn sim gallery:box-on"), ["box-on-floor"])
        self.assertEqual(self.offers("cairn sim gal")[0].split(":")[0], "gallery")

    def test_files(self):
        self.assertEqual(self.offers("cairn solve "), ["M.mtx", "q.mtx", "sub", "two words.mtx"])
        self.assertEqual(self.offers("cairn solve --start no"), ["notes.txt"])
        self.assertEqual(self.offers("cairn solve --dump "), ["sub"])
        self.assertEqual(self.offers("cairn sim a"), ["arm.urdf"])

    def test_typed(self):
        for keys, wanted in [("cairn sim gallery:box-on-f\t\n", "<sim><gallery:box-on-floor>"),
                             ("cairn solve --method=lemke-\t\n", "<solve><--method=lemke-lex>"),
                             ("cairn solve two\t\n", "<solve><two words.mtx>")]:
            self.check_typed(["bash", "--noprofile", "--norc", "-i"], f"source {self.script}", keys, wanted)


class OtherShells(ReferenceCase):
    @needs("zsh")
    def test_zsh_can_read_it(self):
        done = subprocess.run(["zsh", "-n", self.form("zsh")], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @needs("zsh")
    def test_zsh_completes(self):
        (self.folder / "_cairn").write_text(self.form("zsh").read_text())
        (self.folder / "M.mtx").write_text("")
        setup = "fpath=($PWD $fpath); autoload -U compinit; compinit -u -d $PWD/dump"
        for keys, wanted in [("cairn sim gallery:box-on-f\t\n", "<sim><gallery:box-on-floor>"),
                             ("cairn solve --method lemke-\t\n", "<solve><--method><lemke-lex>"),
                             ("cairn solve M\t\n", "<solve><M.mtx>"),
                             ("cairn ref\tba\t\n", "<reference><bash>")]:
            self.check_typed(["zsh", "-f", "-i"], setup, keys, wanted)

    @needs("fish")
    def test_fish_completes(self):
        script = self.form("fish")
        (self.folder / "M.mtx").write_text("")

        def offers(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C {line!r}"], cwd=self.folder,
                                  capture_output=True, text=True, check=True, env={**os.environ, "HOME": str(self.folder)})
            self.assertEqual(done.stderr, "")
            return [offer.split("\t")[0] for offer in done.stdout.splitlines()]

        self.assertEqual(offers("cairn so"), ["solve"])
        self.assertEqual(offers("cairn solve --method le"), ["lemke", "lemke-lex"])
        self.assertEqual(offers("cairn sim gallery:box-on"), ["gallery:box-on-floor"])
        self.assertIn("M.mtx", offers("cairn solve M"))
        self.assertEqual(offers("cairn solve --max"), ["--max-pivots"])


if __name__ == "__main__":
    run_tests(__doc__)
