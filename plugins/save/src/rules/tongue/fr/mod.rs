//! French: what it is told by, and rules.

mod matter;
mod talk;

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "le la les un une des du et est sont ne pas on nous vous tu je pour avec dans sur au aux ce cette ces qui que mais ou \
            donc non oui jamais toujours plutôt parce car ici merci faut sans par il elle dorénavant désormais",
    lasting: &[
        "utilise|utilisez|écris|mets ** toujours|jamais",
        "^plutôt ** que|qu",
        "ne|n ** jamais !été|vu|su|eu|marché|fonctionné|compris",
        "^jamais !vu|eu|su|entendu|compris",
        "^toujours !le|la|les|pas|en|aussi|là|été|rien|un|cassé|rouge|ce",
        "désormais|dorénavant",
        "à partir de maintenant|demain|aujourdhui",
        "à l avenir",
        "ne|n ** plus|jamais utiliser|utilise|utilisez|écrire|mettre|toucher",
        "on|nous n ** pas|jamais|plus",
        "on utilise|écrit|met|prend|nomme|tutoie|vouvoie ** ici|toujours|jamais|pas|uniquement|partout|plutôt",
        "chaque|tous|toutes|tout ** doit|doivent",
        "il ** faut toujours|jamais",
        "doit|doivent toujours|jamais|commencer|suivre",
        "je préfère",
        "pas de|d ** svp|stp|ici|jamais|dans",
        "interdiction|interdit de",
        "par convention",
        "notre|la règle|convention est",
        "arrête|arrêtez de|d",
    ],
    wish: &[
        "ne|n !sais|comprends|pense|crois|suis|est|marche|fonctionne|vois ** pas|plus",
        "^utilise|utilisez|utiliser",
        "évite|évitez|éviter",
        "merci de ne",
    ],
    custom: &["^on|nous utilise|utilisons|écrit|écrivons|met|prend"],
    idle: &[
        "ça|cela|il|elle|tu|je ?ne|n marche|a|est|as|ai ** jamais|toujours",
        "n|ne ai|a|avons|ont jamais",
        "c est ** toujours|jamais",
        "toujours pas|cassé|rouge",
        "toujours en panne|cours|attente|erreur",
        "comme toujours",
        "pas de souci|problème|soucis",
        "ne marche|fonctionne|passe pas|jamais|plus",
        "est|sont toujours pas|rouge|cassé|cassée|lent|lente|là|vide",
        "doit|doivent ** passer|marcher|être vert",
    ],
    scope: &[
        "ici",
        "dans ce|notre|le|la projet|dépôt|code|repo|équipe",
        "chez nous",
        "nulle part",
        "partout",
        "directement",
        "à la main",
        "sans demander|accord|revue",
        "en production|prod",
        "jamais",
        "plus",
    ],
    passing: &[
        "pas encore",
        "pour l instant",
        "pour le moment",
        "cette fois",
        "aujourdhui",
        "dabord",
        "tout de suite",
    ],
    reason: &[
        "parce que|qu",
        "car",
        "puisque|puisqu",
        "sinon",
        "à cause",
        "pour éviter|que",
        "afin",
        "trop lent|gros|cher|chère|chers|chères|coûteux|compliqué|compliquée|tard|long|lourd|risqué|lente|lourde|fragile",
        "appartient|appartiennent",
        "est|sont ** généré|générés|partagé",
        "casse|cassent",
        "rejette|refuse",
        "aggrave|empire",
        "plus simple|rapide|sûr",
        "pour raisons|des",
    ],
    ..matter::TABLE
};
