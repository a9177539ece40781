//! Portuguese: what it is told by, and rules.

mod matter;
mod talk;

use super::table::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "o a os as um uma e é são não que de em para com por se no na nos nas do da dos das eu você vocês nós mas ou mais \
            muito nunca sempre jamais aqui porque já isso este esta está sem sim obrigado obrigada até pelo pela ao cada usar use usa usamos agora",
    lasting: &[
        "nunca|sempre em|com|por|sem|no|na|direto|pela|pelo|contra",
        "use|usa|escreva|coloque|faça ** sempre|nunca",
        "^nunca|jamais !vi|foi|funcionou|funciona|tinha|tive|soube|deu|mais|é",
        "^sempre !aparece|acontece|tem|vejo|falha|é|foi|que|está|o|a|dá|me|igual|quebra",
        "a partir de agora|hoje|amanhã",
        "de agora|hoje em diante",
        "daqui em|para diante|frente",
        "no futuro",
        "usamos|escrevemos|colocamos ** aqui|sempre|nunca|só|não",
        "aqui ?não ?se usamos|usa|escrevemos|pode|usa",
        "não usamos|permitimos|aceitamos|fazemos|escrevemos|commitamos",
        "cada|todos|todas|todo|toda ** deve|devem|precisa|precisam|tem|têm",
        "deve|devem sempre|nunca|começar|seguir",
        "prefiro|preferimos",
        "nada de ** aqui|por|em",
        "por convenção|regra",
        "nossa|a regra|convenção é",
        "pare|parem|para de usar|colocar|escrever|criar",
    ],
    wish: &[
        "^não !sei|entendo|funciona|há|é|está|acho|consigo|vejo|tem|foi|deu|precisa|se|era|tenho",
        "por favor não|use",
        "^use|usa|usem|utilize|evite|evita",
    ],
    custom: &["^usamos|escrevemos|utilizamos|a|aqui"],
    idle: &[
        "está|é|estou|tem|estão|são sempre|nunca",
        "isso|isto|ele|ela|eu|você|me sempre|nunca",
        "nunca|sempre falha|falhou|funciona|funcionou|quebra",
        "como sempre",
        "deve|devem|deveria|deveriam passar|funcionar|compilar|estar verde",
        "por que ** sempre|nunca",
        "não tem|há problema|pressa",
    ],
    scope: &[
        "aqui",
        "neste|nesta|nosso|nossa|no|na projeto|repositório|repo|equipe|time|código|pasta",
        "diretamente|direto",
        "à mão",
        "em produção|main|master",
        "nunca",
        "mais",
        "sem perguntar|permissão|revisão",
        "em lugar|nenhum",
    ],
    passing: &[
        "ainda",
        "por enquanto",
        "por ora",
        "no momento",
        "desta vez",
        "hoje",
        "primeiro",
        "agora mesmo",
    ],
    reason: &[
        "porque",
        "pois",
        "já que",
        "uma vez que",
        "senão",
        "caso contrário",
        "devido",
        "para que|evitar|não",
        "muito|demais|tão lento|lenta|grande|caro|cara|tarde|pesado|longo|frágil",
        "lento|grande|caro|lenta demais",
        "pertence|pertencem",
        "é|são ** gerado|gerados|gerada|compartilhado",
        "quebra|quebram",
        "rejeita|recusa|falha",
        "piora|pioram",
        "mais simples|rápido|seguro|barato",
        "é ** do|da time|equipe",
    ],
    ..matter::TABLE
};
