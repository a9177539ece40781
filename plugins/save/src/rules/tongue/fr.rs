//! French.

use super::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "le la les un une des du et est sont ne pas on nous vous tu je pour avec dans sur au aux ce cette ces qui que mais ou \
            donc non oui jamais toujours plutôt parce car ici merci faut sans par il elle dorénavant désormais",
    lasting: &[
        "ne|n ** jamais !été|vu|su|eu|marché|fonctionné|compris", "^jamais !vu|eu|su|entendu|compris", "toujours !le|la|les|pas|en|aussi|là|été|rien|un|cassé|rouge|ce", "désormais|dorénavant", "à partir de maintenant|demain|aujourdhui", "à l avenir",
        "ne|n ** plus|jamais utiliser|utilise|utilisez|écrire|mettre|toucher", "on|nous n ** pas|jamais|plus", "on utilise|écrit|met|prend|nomme|tutoie|vouvoie ** ici|toujours|jamais|pas|uniquement|partout|plutôt", "chaque|tous|toutes|tout ** doit|doivent", "il ** faut toujours|jamais", "doit|doivent toujours|jamais|être|commencer|suivre|rester|avoir", "je préfère", "pas de|d ** svp|stp|ici|jamais|dans", "interdiction|interdit de", "par convention", "notre|la règle|convention est", "arrête|arrêtez de|d",
    ],
    wish: &["ne|n !sais|comprends|pense|crois|suis|est|marche|fonctionne|vois ** pas|plus", "^utilise|utilisez|utiliser", "évite|évitez|éviter", "merci de ne"],
    idle: &["ça|cela|il|elle|tu|je ?ne|n marche|a|est|as|ai ** jamais|toujours", "n|ne ai|a|avons|ont jamais", "c est ** toujours|jamais", "toujours pas|en|cassé|rouge", "comme toujours", "pas de souci|problème|soucis", "ne marche|fonctionne|passe pas|jamais|plus", "est|sont toujours", "doit|doivent ** passer|marcher|être vert"],
    scope: &["ici", "dans ce|notre|le|la projet|dépôt|code|repo|équipe", "chez nous", "nulle part", "partout", "directement", "à la main", "sans demander|accord|revue", "en production|prod", "jamais", "plus"],
    passing: &["pas encore", "pour l instant", "pour le moment", "cette fois", "aujourdhui", "dabord", "tout de suite"],
    reason: &["parce que|qu", "car", "puisque|puisqu", "sinon", "à cause", "pour éviter|que", "afin", "trop lent|gros|cher|tard|long|lourd|risqué|lente|lourde|fragile", "appartient|appartiennent", "est|sont ** généré|générés|partagé", "casse|cassent", "rejette|refuse", "aggrave|empire", "plus simple|rapide|sûr", "pour raisons|des"],
    decided: &["on|nous|j ?ai ?a|avons ?donc décidé|choisi|opté|convenu|tranché", "décision", "on|nous part|partons|passe|passons|reste|restons|garde|gardons|prend|prenons|va|allons", "^partons|prenons|gardons|utilisons|restons|passons"],
    undecided: &["pas|jamais encore décidé|choisi", "n a|avons pas|rien décidé", "si on|nous", "peut être", "peutêtre", "on|nous pourrait|pourrions|devrait|devrions", "avant de décider", "je pense|crois|propose|suggère"],
    instead: &["plutôt que|qu", "au lieu de|d", "à la place de|du|d", "et non", "et pas"],
    request: &["on|nous", "utilise|utilisons|change|mets|prends|remplace|fais|garde|passe|limite|stocke|lisse|envoie", "il faut", "doit"],
    limit: &["limite|plafond|quota", "limité|limitée|limités|plafonné|plafonnée à", "au maximum|plus|moins", "max #", "maximum", "ne ** dépasser|dépasse", "pas pris|supporté|autorisé|possible", "n|ne est|sont pas ?pris ?en supporté|autorisé|possible|charge|permis", "jusqu à #", "accepte|acceptent ** que|pas|maximum", "plus de # ", "# ** par seconde|minute|heure|jour"],
    edge: &["coupe|ferme|expire ** après|au"],
    firm: &["on|nous ne|peut ** pas|rien changer|augmenter|modifier|faire", "limite stricte|dure|imposée|ferme", "c est ** voulu|conception|contrat|loi", "par seconde|minute|heure|jour", "de leur côté", "pas négociable", "non négociable", "n augmenteront pas", "pas supporté|autorisé|possible", "au maximum", "à partir de aujourdhui|maintenant", "imposé|imposée|obligatoire", "api|fournisseur"],
    defer: &["pas maintenant", "pas tout de suite", "plus tard", "reporte~|reporté|reportons|repousse~|remet~|différer|diffère", "on verra ** plus|quand|après", "en attente", "une fois que", "en attendant", "attendre|attend que|la|le", "hors périmètre", "dette technique"],
    until: &["jusqu", "une fois", "quand|lorsque", "après", "dès que|qu", "avant", "tant que", "parce", "attend|attendant"],
    asks: &["^est ce", "^est ce que", "^quoi|comment|pourquoi|quand|où|qui|quel|quelle|quels|quelles|combien", "^peux|pouvez|pourrais|pourrait|peut|doit|faut|as", "^qu est", "^qu en"],
    supposes: &["et si", "imagine|imaginons|imaginez", "supposons|suppose", "on|nous|tu pourrait|pourrions|pourrais", "théoriquement", "en théorie", "peut être", "peutêtre", "si on|nous|j", "un jour", "ce serait"],
    jests: &["je rigole|plaisante|déconne", "blague|blagues", "c est ** blague|rire", "mdr|lol", "ptdr", "haha~"],
    hearsay: &["il|elle|collègue|chef|article|blog|doc|client|ami|quelqu|readme|gens ?toujours dit|pense|écrit|prétend|recommande|conseille|veut|suggère", "selon|après", "j ai lu|entendu|vu", "il paraît", "autre|ancien|ancienne|précédent boîte|équipe|projet|entreprise"],
    keep: &["souviens|rappelle|rappelles ?toi", "note ?bien ?que|pour", "garde|gardez|gardes ** tête|esprit", "à retenir", "retiens|retenez", "n oublie|oubliez pas", "pour mémoire|info"],
    refuses: &["non", "pas comme|ça|celui|du", "stop", "arrête", "c est faux|pas", "annule", "surtout pas", "ne", "plutôt pas", "mauvaise idée"],
    agrees: &["oui", "ok", "d accord", "vasy", "vas y", "parfait", "très bien", "bien", "exactement", "bonne idée", "fais le|ça", "super"],
    concedes: &["tu as raison", "t as raison", "c est vrai", "vrai", "bon point", "laisse tomber", "oublie", "finalement non", "en fait non", "mon erreur", "au temps pour"],
    cause: &["parce", "car", "manque|manquait|manquent", "doit|devait|faut|fallait", "était|est|étaient|sont ** pas|absent|manquant|vide|faux|ancien|absolu|trop|déjà", "besoin", "cause|raison|problème", "suffit", "sans", "au lieu", "attend|attendait", "exige", "échoue", "n existe|existait|était"],
    report: &["je vais|regarde|lance|vérifie|corrige|fais", "laisse moi", "tout|tests|est|sont ** vert|verts|fait|bon|ok", "terminé", "committé|commité|poussé", "voulez|veux|dois"],
    script: None,
};
