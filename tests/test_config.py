"""Where settings come from, and which source wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxcompact.config import load
from ctxcompact.core.settings import Mode, Settings
from tests.sources import OWN, SHARED, Sources


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path)


def test_without_any_source_the_defaults_hold(sources: Sources) -> None:
    config = sources.load()
    assert config.settings == Settings()
    assert config.files == ()


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        pytest.param(["user"], 11, id="the user's file beats the default"),
        pytest.param(["user", "project"], 12, id="the project beats the user"),
        pytest.param(["user", "project", "environ"], 13, id="the environment beats the project"),
        pytest.param(["user", "project", "environ", "flag"], 14, id="a flag beats them all"),
        pytest.param(["user", "flag"], 14, id="also where others are silent"),
    ],
)
def test_the_higher_source_wins(sources: Sources, present: list[str], expected: int) -> None:
    flags = {}
    if "user" in present:
        sources.user_file.write_text("keep_recent = 11", encoding="utf-8")
    if "project" in present:
        sources.write(OWN, "keep_recent = 12")
    if "environ" in present:
        sources.environ["CTXCOMPACT_KEEP_RECENT"] = "13"
    if "flag" in present:
        flags["keep_recent"] = 14
    assert sources.load(**flags).settings.keep_recent == expected


def test_sources_are_merged_key_by_key(sources: Sources) -> None:
    sources.user_file.write_text("keep_recent = 1\nlast_keep = 2", encoding="utf-8")
    sources.write(OWN, "last_keep = 3")
    sources.environ["CTXCOMPACT_TARGET"] = "4"
    settings = sources.load(preview_chars=5).settings
    assert (settings.keep_recent, settings.last_keep) == (1, 3)
    assert (settings.target, settings.preview_chars) == (4, 5)


def test_the_files_used_are_named(sources: Sources) -> None:
    sources.user_file.write_text("", encoding="utf-8")
    project = sources.write(OWN, "")
    assert sources.load().files == (sources.user_file, project)


def test_the_nearest_project_file_counts_alone(sources: Sources) -> None:
    sources.write(OWN, "keep_recent = 7\nlast_keep = 7", up=1)
    sources.write(OWN, "keep_recent = 8")
    settings = sources.load().settings
    assert (settings.keep_recent, settings.last_keep) == (8, Settings().last_keep)


def test_a_file_of_a_parent_folder_is_found(sources: Sources) -> None:
    sources.write(SHARED, "[tool.ctxcompact]\nkeep-recent = 9", up=1)
    assert sources.load().settings.keep_recent == 9


def test_our_own_file_beats_pyproject_in_the_same_folder(sources: Sources) -> None:
    sources.write(SHARED, "[tool.ctxcompact]\nkeep_recent = 1")
    sources.write(OWN, "keep_recent = 2")
    assert sources.load().settings.keep_recent == 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[project]\nname = 'x'\n", id="of others"),
        pytest.param("this is not TOML", id="broken, but not about us"),
        pytest.param("\x00\xff", id="no text at all"),
    ],
)
def test_a_pyproject_without_our_table_is_passed_over(sources: Sources, text: str) -> None:
    sources.write(SHARED, text)
    sources.write(OWN, "keep_recent = 9", up=1)
    assert sources.load().settings.keep_recent == 9


def test_dashes_and_underscores_are_one(sources: Sources) -> None:
    sources.write(OWN, "keep-recent = 5\nlast_keep = 6")
    settings = sources.load().settings
    assert (settings.keep_recent, settings.last_keep) == (5, 6)


def test_empty_variables_and_those_of_others_do_not_count(sources: Sources) -> None:
    sources.environ = {"CTXCOMPACT_TARGET": "", "CTXCOMPACT_DEBUG": "1", "TARGET": "7"}
    assert sources.load().settings == Settings()


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        pytest.param("mode", "micro", Mode.MICRO, id="a word"),
        pytest.param("levels", "2,3", (2, 3), id="levels"),
        pytest.param("token_ratio", "0.5", 0.5, id="a ratio"),
        pytest.param("force", "YES", True, id="a switch on"),
        pytest.param("micro_tag", "0", False, id="a switch off"),
        pytest.param("protect_tool", "Read, Todo*", ("Read", "Todo*"), id="globs, with commas"),
        pytest.param("protect", "a,b\nc d", ("a,b", "c d"), id="patterns, a line each"),
    ],
)
def test_the_environment_is_read_as_text(
    sources: Sources, key: str, text: str, value: object
) -> None:
    sources.environ["CTXCOMPACT_" + key.upper()] = text
    assert getattr(sources.load().settings, key) == value


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        pytest.param("levels = [2, 3]", "levels", (2, 3), id="a list of levels"),
        pytest.param("levels = '2,3'", "levels", (2, 3), id="levels as a text"),
        pytest.param("levels = 2", "levels", (2,), id="one level"),
        pytest.param("token_ratio = 1", "token_ratio", 1.0, id="a whole number as a ratio"),
        pytest.param("protect = 'a,b'", "protect", ("a,b",), id="one pattern"),
        pytest.param("protect_tool = ['Read', 'x']", "protect_tool", ("Read", "x"), id="globs"),
        pytest.param("until = 'first'", "until", "first", id="a word"),
    ],
)
def test_a_file_is_read_as_toml(sources: Sources, text: str, key: str, value: object) -> None:
    sources.write(OWN, text)
    assert getattr(sources.load().settings, key) == value


def test_a_path_in_a_file_counts_from_the_file(sources: Sources) -> None:
    sources.write(OWN, "root = 'kept'\noutput = '-'", up=1)
    options = sources.load().options
    assert options.root == sources.folder.parent / "kept"
    assert options.output == Path("-")


def test_a_project_may_keep_things_in_its_own_folder(sources: Sources) -> None:
    sources.write(OWN, "root = '.'\nreport = 'deep/../r.json'\nsummarizer = 'none'\nredact = true")
    config = sources.load()
    assert config.options.root == sources.folder / "."
    assert (config.options.summarizer, config.settings.redact) == ("none", True)


@pytest.mark.parametrize(("key", "value"), [("model", "openai/x"), ("api_base", "http://x")])
@pytest.mark.parametrize("source", ["the user's file", "the environment", "a flag"])
def test_the_user_says_where_transcripts_may_be_sent(
    sources: Sources, source: str, key: str, value: str
) -> None:
    flags = {}
    if source == "the user's file":
        sources.user_file.write_text(f"{key} = '{value}'", encoding="utf-8")
    elif source == "the environment":
        sources.environ["CTXCOMPACT_" + key.upper()] = value
    else:
        flags[key] = value
    sources.write(OWN, "keep_recent = 1")
    assert getattr(sources.load(**flags).options, key) == value


def test_a_path_in_the_environment_counts_from_the_working_directory(sources: Sources) -> None:
    sources.environ["CTXCOMPACT_ROOT"] = "kept"
    assert sources.load().options.root == Path("kept")


def test_a_tilde_in_a_file_is_the_home(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    sources.user_file.write_text("root = '~/kept'", encoding="utf-8")
    assert sources.load().options.root == Path("/somewhere/kept")


def test_an_output_on_the_command_line_beats_in_place_in_a_file(sources: Sources) -> None:
    sources.write(OWN, "in_place = true")
    options = sources.load(output="x.jsonl").options
    assert (options.output, options.in_place) == (Path("x.jsonl"), False)


def test_in_place_on_the_command_line_beats_an_output_in_a_file(sources: Sources) -> None:
    sources.write(OWN, "output = 'x.jsonl'")
    options = sources.load(in_place=True).options
    assert (options.output, options.in_place) == (Path("-"), True)


def test_a_flag_takes_a_switch_back(sources: Sources) -> None:
    sources.write(OWN, "force = true")
    assert sources.load(force=False).settings.force is False


def test_flags_that_were_not_given_say_nothing(sources: Sources) -> None:
    sources.write(OWN, "protect = 'x'\ntop = 3")
    config = sources.load(protect=[], top=None)
    assert (config.settings.protect, config.options.top) == (("x",), 3)


@pytest.mark.parametrize("home", ["", "/nowhere/at/all", "/dev/null"])
def test_a_strange_home_does_no_harm(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.setenv("HOME", home)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert load({}, environ={}, folder=sources.folder).settings == Settings()


def test_the_users_file_is_looked_for_in_the_configuration_folder(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "ctxcompact" / "config.toml"
    path.parent.mkdir()
    path.write_text("keep_recent = 21", encoding="utf-8")
    config = load({}, environ={}, folder=sources.folder)
    assert (config.settings.keep_recent, config.files) == (21, (path,))


def test_a_working_directory_that_is_gone_has_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert load({}, environ={}, user_file=tmp_path / "none").files == ()
