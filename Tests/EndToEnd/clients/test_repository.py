"""Tests of the files that hosting services read: forms for issues, and the manifest of the Swift Package Index."""

import re

import yaml

from support.program import ROOT


def test_issue_forms_ask_for_no_images_of_people():
    forms = {path.stem: yaml.safe_load(path.read_text()) for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))}
    assert forms.pop("config")["blank_issues_enabled"] is False and set(forms) == {"bug", "feature"}
    for name, form in forms.items():
        assert form["name"] and form["description"] and form["labels"], name
        ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
        assert len(ids) == len(set(ids)) >= 3, name
        for field in form["body"]:
            assert field["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes"), field
            assert "label" in field["attributes"] or field["type"] == "markdown", field
            assert field["type"] != "dropdown" or all(isinstance(option, str) for option in field["attributes"]["options"]), field
    assert "images" in str(forms["bug"]) and "Scope.md" in str(forms["feature"])
    assert (ROOT / "Documentation/reference/Scope.md").exists()


def test_documentation_targets_are_those_of_the_library_products():
    (config,) = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    manifest = (ROOT / "Package.swift").read_text()
    products = re.findall(r'\.library\(\s*name: "\w+",\s*targets: \[(.*?)\]\)', manifest, re.S)
    targets = {name for product in products for name in re.findall(r'"(\w+)"', product)}
    assert len(products) == manifest.count(".library(") and set(config["documentation_targets"]) == targets
