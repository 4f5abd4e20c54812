"""WMT22 QE task 1: Spearman of all submissions on MQM en-de, and a submission with r below 0 on km-en."""

import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks

MQM_EN_DE = {
    "NJUQE": 0.634656,
    "BJTU": 0.621408,
    "pu_nlp": 0.611021,
    "papago": 0.581532,
    "IST-Unbabel": 0.560660,
    "Alibaba-Translate": 0.550391,
    "lp_sunny": 0.494614,
    "HW-TSC": 0.493872,
    "OrganizersBaselines": 0.454836,
    "ahmetgunduz": 0.376010,
}


def run(profile, place, registry):
    rules = choose_profile(profile, ["interval="], registry)
    return qeframe.evaluate(rules, read_tasks(rules, place, registry), registry=registry)


def test_mqm_en_de(shared_data, registry):
    evaluation = run("wmt22_qe_sentence", shared_data("wmt22-qe") / "mqm" / "en-de", registry)
    found = {s.name: round(s.scores["spearman"].value, 6) for s in evaluation.submissions}
    assert found == MQM_EN_DE
    assert list(found) == list(MQM_EN_DE)


def test_a_submission_with_the_wrong_sign_is_pointed_out(shared_data, registry):
    evaluation = run("wmt22_qe_sentence", shared_data("wmt22-qe") / "da" / "km-en", registry)
    scores = {s.name: s.scores for s in evaluation.submissions}
    assert scores["NJUQE"]["spearman"].value == pytest.approx(-0.430177, abs=5e-7)
    assert f"{scores['papago']['mae'].value:.2f}" == "2.29"
    warned = [warning for warning in evaluation.warnings if "spearman" in warning]
    assert len(warned) == 1
    assert "NJUQE" in warned[0]
    assert "-0.430177" in warned[0]
