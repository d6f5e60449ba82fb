"""Tests of the text files: every language has every text with its placeholders, in its own words and script; and browsers get their
language."""

from __future__ import annotations

import re
import unicodedata

import pytest

from browser.environment import BrowserEnvironment, equal, true
from browser.page_checks import TEXTS, WEB

ENGLISH = TEXTS["en"]
OTHERS = sorted(set(TEXTS) - {"en"})

# First words of the Unicode names of a script's letters.
SCRIPTS = {
    "ar": {"ARABIC"}, "he": {"HEBREW"}, "hi": {"DEVANAGARI"}, "ja": {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"},
    "ko": {"HANGUL"}, "ru": {"CYRILLIC"}, "uk": {"CYRILLIC"}, "zh-Hans": {"CJK"}, "zh-Hant": {"CJK"},
}
# Letters that one of two languages with the same script does not have.
FOREIGN = {"ru": "іїєґ", "uk": "ыэъё"}
# Character sets that have the simplified characters, but not the traditional ones, and the other way round.
CHARACTER_SETS = {"zh-Hans": "gb2312", "zh-Hant": "big5"}
# English words that no other language here has.
ENGLISH_WORDS = {"the", "and", "your", "this", "with", "that", "you", "isn", "doesn", "couldn", "please"}

# Texts that are abbreviations and terms of programmers, which some languages leave as they are.
UNTRANSLATED = {"status.most", "console.tab.webhooks"}
# Texts of more than 15 letters that equal the English ones, with the reason.
SAME_AS_ENGLISH = {("fr", "verify.check.double-compression"): "the French words are spelled alike"}


def words_of(text: str) -> str:
    """Returns a text without its placeholders."""
    return re.sub(r"\{\w+\}", " ", text)


def scripts_of(text: str) -> set[str]:
    return {unicodedata.name(letter, "").split(" ")[0] for letter in words_of(text) if unicodedata.category(letter).startswith("L")}


def test_languages_have_the_same_texts_and_placeholders() -> None:
    """All languages have the same texts with the same placeholders, and are in the list of languages."""
    places = re.compile(r"\{\w+\}").findall
    true(len(TEXTS) >= 20, f"languages: {sorted(TEXTS)}")
    for language, texts in TEXTS.items():
        equal(list(texts), list(ENGLISH), f"keys of {language}, in their order")
        for key, english in ENGLISH.items():
            equal(sorted(places(texts[key])), sorted(places(english)), f"{language}: {key}")
            equal(re.findall(r"[{}]", re.sub(r"\{\w+\}", "", texts[key])), [], f"single braces in {language}: {key}")
            true(texts[key].strip() == texts[key] != "", f"{language}: {key} is empty or has spaces around it")
    listed = re.findall(r'code: "([\w-]+)"', (WEB / "assets/core/languages.js").read_text())
    equal(sorted(listed), sorted(TEXTS), "the list of languages and the files")


@pytest.mark.parametrize("language", OTHERS)
def test_texts_are_translated(language: str) -> None:
    """No text of another language is the English one, or has English words in it."""
    texts = TEXTS[language]
    same = [key for key, text in texts.items() if text == ENGLISH[key] and sum(map(str.isalpha, words_of(text))) > 15]
    allowed = {key for code, key in SAME_AS_ENGLISH if code == language}
    equal(sorted(set(same) ^ allowed), [], f"texts that equal the English ones, or no longer do, in {language}")
    english = {key: text for key, text in texts.items() if ENGLISH_WORDS & set(re.findall(r"[a-z]+", words_of(text).lower()))}
    equal(english, {}, f"texts with English words in {language}")


@pytest.mark.parametrize("language", OTHERS)
def test_texts_are_in_the_script_of_their_language(language: str) -> None:
    """A language with its own script uses it in every text, beside Latin names; no text has letters of a third script."""
    own = SCRIPTS.get(language, {"LATIN"})
    for key, text in TEXTS[language].items():
        found = scripts_of(text)
        equal(found - own - {"LATIN"}, set(), f"scripts in {language}: {key}: {text}")
        if found and key not in UNTRANSLATED:
            true(found & own, f"{language}: {key} is not in the script of the language: {text}")
        equal([letter for letter in FOREIGN.get(language, "") if letter in text.lower()], [], f"letters of another language in {key}")
        if language in CHARACTER_SETS:
            wrong = [letter for letter in text if unicodedata.name(letter, "").startswith("CJK UNIFIED")
                     and not letter.encode(CHARACTER_SETS[language], "ignore")]
            equal(wrong, [], f"characters of the other kind of Chinese in {language}: {key}: {text}")
        # Japanese has kana in every sentence, which Chinese lacks.
        if language == "ja" and sum(map(str.isalpha, words_of(text))) > 15:
            true(found & {"HIRAGANA", "KATAKANA"}, f"{key} has no kana: {text}")


def test_browsers_get_their_language_and_region(env: BrowserEnvironment) -> None:
    """Regions choose the script of Chinese, old codes work, and numbers and times follow the browser's region."""
    payloads = {
        "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-Hant": "zh-Hant", "zh_MO": "zh-Hant", "zh": "zh-Hans", "zh-CN": "zh-Hans",
        "zh-SG": "zh-Hans", "in-ID": "id", "iw": "he", "pt-BR": "pt", "uk-UA": "uk", "hi-IN": "hi", "xx": "en", "": "en"}
    with env.page(env.browser(), language="zh-TW") as page:
        page.goto(env.server.url + "/check")
        page.wait_for_selector('html[lang="zh-Hant"]')
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.inner_text("#begin"), TEXTS["zh-Hant"]["welcome.begin"], "button")
        found = page.evaluate("""async (tags) => {
          const { bestLanguage, regionalTag } = await import("/assets/core/languages.js");
          const { Texts } = await import("/assets/core/texts.js");
          const texts = await Texts.load(["en", "de-CH", "en-IN"]);
          return {
            codes: Object.fromEntries(tags.map((tag) => [tag, bestLanguage([null, tag]).code])),
            second: bestLanguage(["tlh", "ja-JP", "en"]).code,
            regions: [regionalTag("en", ["de", "en", "en-GB"]), regionalTag("zh-Hant", ["zh-CN", "zh-HK"]), regionalTag("ja", ["en-US"])],
            locale: texts.locale,
            count: texts.text("count.done", { number: 1234567, count: "1234567" }),
          };
        }""", list(payloads))
    equal(found["codes"], payloads, "languages by tag")
    equal(found["second"], "ja", "the second payload, if there are no texts for the first")
    equal(found["regions"], ["en-GB", "zh-HK", "ja"], "tags for numbers and times")
    equal(found["locale"], "en-IN", "the region of a payload")
    equal(found["count"], "12,34,567 of 1234567", "a number, and a string that stays as it is")
