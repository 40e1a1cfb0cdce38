"""Runs Flakestorm's own command line on generated projects, and prints what it says of each as JSON."""

import asyncio
import io
import json
import re
import sys

import yaml
from typer.testing import CliRunner

import flakestorm.chaos.profiles
import flakestorm.core.protocol as protocol
from flakestorm import chaos
from flakestorm.cli import main
from flakestorm.core.config import ChaosConfig
from flakestorm.core.runner import FlakeStormRunner
from flakestorm.mutations.engine import MutationEngine
from flakestorm.mutations.types import Mutation, MutationType


async def prompts_as_they_are(self, prompt, types, count):
    """Tapedeck sends golden prompts unchanged; so must both."""
    return [Mutation(original=prompt, mutated=prompt, type=MutationType.PARAPHRASE)]


MutationEngine.generate_mutations = prompts_as_they_are
create = protocol.HTTPAgentAdapter.__init__


def without_retries(self, *args, **kwargs):
    create(self, *args, **{**kwargs, "retries": 0})


protocol.HTTPAgentAdapter.__init__ = without_retries
runner = CliRunner()


def call(*args):
    main.console.file = io.StringIO()
    result = runner.invoke(main.app, list(args))
    said = main.console.file.getvalue() + result.output
    return said, result.exit_code


def percent(name, said):
    found = re.search(re.escape(name) + r":\s*([\d.]+)%", said)
    return found and found[1]


def profiled(project):
    """The score of the golden prompts under a chaos profile; none where the first prompt ends the run."""
    try:
        options = {"show_progress": False, "chaos_only": True, "chaos_profile": project["profile"]}
        results = asyncio.run(FlakeStormRunner(project["name"] + "/flakestorm.yaml", **options).run())
        return round(results.statistics.robustness_score, 4)
    except RuntimeError:
        return None


# Flakestorm knows profiles by name only; these are files.
chaos.profiles.load_chaos_profile = lambda path: ChaosConfig.model_validate(yaml.safe_load(open(path))["chaos"])
answers = []
for project in json.load(open(sys.argv[1])):
    config = project["name"] + "/flakestorm.yaml"
    answer = {"sessions": {}}
    if "profile" in project:
        answers.append(profiled(project))
        continue
    for path in project["sessions"]:
        said, _ = call("replay", "run", path, "-c", config)
        passed = re.search(r"passed=(True|False)", said)
        answer["sessions"][path] = passed[1] if passed else said[-300:]
    if yaml.safe_load(open(config)).get("contract"):
        said, _ = call("contract", "score", "-c", config)
        answer["contract"] = said.strip().splitlines()[-1]
    said, code = call("ci", "-c", config, "--min-score", str(project["minScore"]))
    names = {"mutation": "Mutation score", "contract": "Contract score", "chaos": "Chaos score", "replay": "Replay score"}
    answer["ci"] = {
        "code": code,
        "scores": {key: percent(name, said) for key, name in names.items() if percent(name, said)},
        "overall": percent("Overall (weighted)", said),
    }
    answers.append(answer)
print()
print(json.dumps(answers))
