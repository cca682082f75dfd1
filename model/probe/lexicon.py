"""The words of the grammar: common ones, with all that English and French need to agree."""

from typing import NamedTuple

from model.text.french import plural_of
from model.text.numbers import in_english, in_french


class Noun(NamedTuple):
    one: str
    many: str
    french: str
    french_many: str
    feminine: bool


class Adjective(NamedTuple):
    english: str
    masculine: str
    feminine: str

    def agreeing(self, feminine: bool, plural: bool) -> str:
        form = self.feminine if feminine else self.masculine
        return plural_of(form) if plural else form


class Verb(NamedTuple):
    base: str
    third: str  # she carries
    past: str
    participle: str
    french: str  # elle porte
    french_many: str  # elles portent
    french_participle: Adjective  # agrees like one


def _nouns(lines: str) -> list[Noun]:
    """`one/many le french`, the English plural spelled out only where it does not just add an s."""
    found = []
    for line in lines.split(","):
        english, article, french = line.split()
        one, _, many = english.partition("/")
        found.append(Noun(one, many or f"{one}s", french, plural_of(french), article == "la"))
    return found


def _adjectives(lines: str) -> list[Adjective]:
    """`english masculine/feminine`, the feminine spelled out only where it is another word."""
    pairs = (line.split() for line in lines.split(","))
    return [Adjective(english, *(french.split("/") * 2)[:2]) for english, french in pairs]


def _verbs(lines: str) -> list[Verb]:
    found = []
    for line in lines.split(","):
        base, third, past, participle, french, french_many, done = line.split()
        agreeing = Adjective(participle, done, f"{done}e")
        found.append(Verb(base, third, past, participle, french, french_many, agreeing))
    return found


# The first ten are he or she in English as well. No noun here begins with an h that forbids elision.
PEOPLE = _nouns("""boy le garçon, girl la fille, man/men le homme, woman/women la femme, king le roi,
    queen la reine, uncle le oncle, aunt la tante, brother le frère, sister la sœur, child/children le enfant,
    doctor le médecin, farmer le fermier, nurse la infirmière, actress/actresses la actrice,
    soldier le soldat""")
ANIMALS = _nouns("""dog le chien, cat le chat, cow la vache, horse le cheval, goat la chèvre,
    mouse/mice la souris, bird le oiseau, frog la grenouille, wolf/wolves le loup,
    donkey le âne, bee la abeille, duck le canard, hen la poule, turtle la tortue""")
THINGS = _nouns("""book le livre, letter la lettre, key la clé, bag le sac, chair la chaise, table la table,
    box/boxes la boîte, bottle la bouteille, knife/knives le couteau, hat le chapeau,
    umbrella le parapluie, clock la horloge, lamp la lampe, coat le manteau, plate la assiette,
    basket le panier, wallet le portefeuille, mirror le miroir, ladder la échelle, tool le outil""")
COLOURS = _adjectives("""red rouge, green vert/verte, blue bleu/bleue, white blanc/blanche, black noir/noire,
    yellow jaune, grey gris/grise, brown brun/brune, purple violet/violette, pink rose""")
# What may be said of things is not said of people and animals, nor the other way round.
OF_THINGS = _adjectives("""heavy lourd/lourde, expensive cher/chère, fragile fragile, useful utile,
    useless inutile, rare rare, solid solide, modern moderne, valuable précieux/précieuse,
    ordinary ordinaire""")
OF_ANIMATES = _adjectives("""tired fatigué/fatiguée, happy heureux/heureuse, sad triste, ill malade,
    lazy paresseux/paresseuse, nervous nerveux/nerveuse, shy timide, jealous jaloux/jalouse, proud fier/fière,
    impatient impatient/impatiente, clever intelligent/intelligente, afraid effrayé/effrayée""")
HANDLES = _verbs("""carry carries carried carried porte portent porté,
    push pushes pushed pushed pousse poussent poussé, pull pulls pulled pulled tire tirent tiré,
    hide hides hid hidden cache cachent caché, find finds found found trouve trouvent trouvé,
    lose loses lost lost perd perdent perdu, keep keeps kept kept garde gardent gardé,
    choose chooses chose chosen choisit choisissent choisi, sell sells sold sold vend vendent vendu,
    break breaks broke broken casse cassent cassé, buy buys bought bought achète achètent acheté""")
MEETS = _verbs("""watch watches watched watched regarde regardent regardé,
    follow follows followed followed suit suivent suivi, love loves loved loved aime aiment aimé,
    avoid avoids avoided avoided évite évitent évité, help helps helped helped aide aident aidé,
    call calls called called appelle appellent appelé, hear hears heard heard entend entendent entendu,
    find finds found found trouve trouvent trouvé, hate hates hated hated déteste détestent détesté,
    know knows knew known connaît connaissent connu""")
NUMBERS = tuple((in_english(number), in_french(number)) for number in (*range(2, 11), 20))
