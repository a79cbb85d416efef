"""The rules reasoner: thinking without a model, without a network, the same every time."""

from reverie.minds.rules.reasoner import RulesReasoner

__all__ = ["RulesReasoner"]
