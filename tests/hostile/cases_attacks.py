"""A case for each file of the attacks beside the project, where that folder is present."""
import attacks, harness


def register(name, head):
    sentence = "attack %s: %s" % (name, head.get("technique", "").split(",")[0][:90])
    timed = any(word in head.get("expect", "") for word in ("cpu<=", "cpu>=")) or head["category"] == "cross-box"
    harness.CASES.append((sentence, lambda t: attacks.perform(t, name, head), timed))


for _name, _head in attacks.all_cases().items():
    register(_name, _head)
