//! Portuguese.

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "o a os as um uma e é são não que de em para com por se no na nos nas do da dos das eu você vocês nós mas ou mais \
            muito nunca sempre jamais aqui porque já isso este esta está sem sim obrigado obrigada até pelo pela ao cada usar use usa usamos agora",
    refuses: &[
        "não",
        "nao",
        "assim não",
        "pare",
        "errado",
        "isso não|está",
        "desfaz|desfaça",
        "melhor não",
        "nunca",
        "nada disso",
    ],
    agrees: &[
        "sim",
        "ok",
        "beleza",
        "pode",
        "tá bom",
        "está bem",
        "de acordo",
        "faz|faça isso",
        "perfeito",
        "exato",
        "claro",
        "boa",
        "boa ideia",
        "ótimo",
    ],
    concedes: &[
        "eu quis|quis dizer",
        "tem razão",
        "você tem",
        "verdade",
        "é verdade",
        "bom ponto",
        "esquece",
        "esqueça",
        "deixa pra|para lá",
        "deixa",
        "pensando melhor",
        "então não",
        "erro meu",
    ],
    instead: &["em vez de|do|da", "ao invés de|do|da", "no lugar de|do|da", "e não", "não ** mas sim"],
    cause: &[
        "porque",
        "falta|faltava|faltavam",
        "precisa|precisava|exige|espera|requer",
        "deve|devia|tem|tinha ** que",
        "era|é|estava|está ** vazio|errado|antigo|velho|absoluto|não|já",
        "causa|razão|motivo|problema",
        "basta",
        "sem",
        "em vez",
        "não existe|existia|estava|tem|tinha",
        "falha|rejeita|ignora|apontava",
    ],
    report: &[
        "vou",
        "deixa eu",
        "agora|tudo|testes|está|estão ** verde|verdes|pronto|feito|passando|passam",
        "pronto|feito",
        "quer|devo",
    ],
    ..Table::EMPTY
};
