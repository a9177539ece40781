//! Dutch: what it is told by, and rules.

mod matter;
mod talk;

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "de het een en is zijn niet geen we wij je jij ik van voor met op in aan bij naar om te dat dit die maar of want omdat \
            nooit altijd graag alsjeblieft hier nu nee ja dan ook nog wel wat hoe waarom kan moet moeten mag worden wordt uit als er gebruik",
    lasting: &[
        "nooit !gezien|gewerkt|geweest|gehad|geweten|meer|gehoord",
        "altijd !nog|weer|al|de|het|dat|kapot|rood|fout",
        "vanaf|van nu|vandaag|morgen ?af",
        "voortaan",
        "in het vervolg",
        "in de toekomst",
        "we|wij gebruiken|schrijven|nemen|zeggen|zetten|doen ** hier|altijd|nooit|alleen|geen|niet",
        "^geen ** hier|graag|meer|alsjeblieft|in",
        "graag geen",
        "elke|iedere|alle ** moet|moeten|krijgt|krijgen|heeft|hebben nodig",
        "moet|moeten altijd|nooit|beginnen|volgen|hebben|zijn|blijven",
        "mag|mogen nooit|niet|alleen|geen",
        "ik heb ** liever",
        "ik prefereer",
        "^liever ** dan",
        "onze|de regel|afspraak|conventie is",
        "handen af",
        "blijf ** af|van",
        "stop met",
        "^alleen nog",
        "onder geen",
    ],
    wish: &[
        "niet ** komen|zitten|aanraken|aankomen|gebruiken|wijzigen|aanpassen|committen|pushen",
        "^gebruik|vermijd|schrijf|zet|noem",
        "graag|alsjeblieft niet|geen",
        "^niet",
    ],
    custom: &["^we|wij gebruiken|schrijven|nemen|zetten"],
    idle: &[
        "dat|het|dit|hij|zij|ik|je ** werkt|is|heeft|faalt|doet ** nooit|altijd",
        "altijd nog|weer|faalt|kapot",
        "zoals altijd",
        "nooit gewerkt|gezien",
        "moet|moeten|zou ** slagen|werken|groen",
        "waarom ** altijd|nooit",
        "geen idee|probleem|haast|zorgen|zin",
    ],
    scope: &[
        "hier",
        "in dit|deze|ons|onze|het project|repo|team|code|map",
        "direct|rechtstreeks",
        "met de hand",
        "nergens",
        "overal",
        "nooit",
        "meer",
        "in productie|main|master",
        "zonder te|overleg|review",
    ],
    passing: &[
        "nog niet",
        "voorlopig",
        "nu even",
        "deze keer",
        "vandaag",
        "eerst",
        "op dit moment",
        "straks",
        "zo",
    ],
    reason: &[
        "omdat",
        "want",
        "anders",
        "zodat",
        "vanwege",
        "wegens",
        "doordat",
        "te traag|langzaam|groot|duur|laat|zwaar|lang|fragiel|complex",
        "hoort|horen bij",
        "is|zijn|wordt|worden ** gegenereerd|gedeeld|overschreven|beheerd",
        "breekt|breken",
        "weigert|faalt",
        "maakt ** erger|trager",
        "erger",
        "eenvoudiger|sneller|veiliger|goedkoper",
        "is|zijn van",
        "om ** te",
    ],
    ..matter::TABLE
};
