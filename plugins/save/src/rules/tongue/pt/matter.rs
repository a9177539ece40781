//! Portuguese: decisions, limits, what is put off.

use super::talk;
use crate::rules::tongue::table::Table;

/// The tables, with those of the talk.
pub const TABLE: Table = Table {
    decided: &[
        "vamos com|usar|de|ficar|manter|trocar|migrar",
        "ficamos com|em",
        "usaremos|mudamos|migramos|trocamos|mantemos",
    ],
    settled: &[
        "decidimos|escolhemos|optamos|combinamos|resolvemos|decidi|escolhi",
        "foi|está|ficou decidido|definido|combinado",
        "decisão",
    ],
    undecided: &[
        "não|ainda|nunca ** decidimos|decidido|decidi",
        "se usarmos|formos|a gente",
        "talvez",
        "poderíamos|deveríamos|podemos|podíamos",
        "antes de decidir",
        "acho|sugiro|proponho|penso",
    ],
    instead: &["em vez de|do|da", "ao invés de|do|da", "no lugar de|do|da", "e não", "não ** mas sim"],
    task: &["^adicione|adiciona|limite|coloque|faça|mude|crie|mostre|reduza|implemente", "deveria|deveriam"],
    limit: &[
        "banco|api|provedor|gateway|plano|correios|operadora limita|aceita|permite|corta ** #",
        "só|somente leitura",
        "limite|teto|cota|quota",
        "limitado|limitada|limitados|limita a",
        "no máximo",
        "máximo ?de #",
        "max #",
        "não ** mais|maior|exceder|ultrapassar|passar|pode",
        "não ?é|há suportado|permitido|suporta|permite|aceita|possível",
        "até #",
        "só aceita|permite|suporta",
        "acima|mais de # ",
        "# ** por segundo|minuto|hora|dia",
    ],
    edge: &["fecha|fecham|corta|expira ** após|depois|em"],
    firm: &[
        "não ** podemos|pode|dá|vão ** mudar|aumentar|alterar|mexer",
        "limite rígido|fixo|duro",
        "por design|projeto|contrato|lei",
        "por segundo|minuto|hora|dia",
        "do lado deles",
        "não vão ** aumentar|mudar",
        "não ** negociável",
        "inegociável",
        "não é|suporta|permite|aceita suportado|permitido",
        "a partir de hoje|agora",
        "obrigatório|contrato",
        "fornecedor|api",
    ],
    defer: &[
        "agora não",
        "ainda não",
        "mais tarde",
        "adia~|adiamos|posterga~|postergamos",
        "deixa|deixamos|deixe|fica|ficam ** para depois|quando|mais|próxima|próximo",
        "para depois",
        "só quando|depois",
        "quando ** estiver|sair|terminar|chegar",
        "em espera",
        "fora do escopo",
        "dívida técnica",
        "esperar|espera|esperamos|aguardar|aguarda ** até|o|a",
    ],
    until: &["até", "quando", "assim que", "depois", "após", "antes", "porque", "próximo|próxima", "uma vez"],
    ..talk::TABLE
};
