//! Portuguese.

use super::Table;

/// The tables.
pub const TABLE: Table = Table {
    marks: "o a os as um uma e é são não que de em para com por se no na nos nas do da dos das eu você vocês nós mas ou mais \
            muito nunca sempre jamais aqui porque já isso este esta está sem sim obrigado obrigada até pelo pela ao cada usar use usa usamos agora",
    lasting: &[
        "nunca|jamais !vi|foi|funcionou|funciona|tinha|tive|soube|deu|mais|é", "sempre !falha|é|foi|que|está|o|a|dá|me|igual|quebra", "a partir de agora|hoje|amanhã", "de agora|hoje em diante", "daqui em|para diante|frente", "no futuro", "usamos|escrevemos|colocamos ** aqui|sempre|nunca|só|não", "aqui ?não ?se usamos|usa|escrevemos|pode|usa", "não usamos|permitimos|aceitamos|fazemos|escrevemos|commitamos", "cada|todos|todas|todo|toda ** deve|devem|precisa|precisam|tem|têm", "deve|devem ?sempre|nunca ser|começar|seguir|ter|ficar|ir|usar|estar", "prefiro|preferimos", "nada de ** aqui|por|em", "por convenção|regra", "nossa|a regra|convenção é", "pare|parem|para de usar|colocar|escrever|criar",
    ],
    wish: &["^não !sei|entendo|funciona|há|é|está|acho|consigo|vejo|tem|foi|deu|precisa|se|era|tenho", "por favor não|use", "^use|usa|usem|utilize|evite|evita"],
    idle: &["isso|isto|ele|ela|eu|você|me sempre|nunca", "nunca|sempre falha|falhou|funciona|funcionou|quebra", "como sempre", "deve|devem|deveria|deveriam passar|funcionar|compilar|estar verde", "por que ** sempre|nunca", "não tem|há problema|pressa"],
    scope: &["aqui", "neste|nesta|nosso|nossa|no|na projeto|repositório|repo|equipe|time|código|pasta", "diretamente|direto", "à mão", "em produção|main|master", "nunca", "mais", "sem perguntar|permissão|revisão", "em lugar|nenhum"],
    passing: &["ainda", "por enquanto", "por ora", "no momento", "desta vez", "hoje", "primeiro", "agora mesmo"],
    reason: &["porque", "pois", "já que", "uma vez que", "senão", "caso contrário", "devido", "para que|evitar|não", "muito|demais|tão lento|lenta|grande|caro|cara|tarde|pesado|longo|frágil", "lento|grande|caro|lenta demais", "pertence|pertencem", "é|são ** gerado|gerados|gerada|compartilhado", "quebra|quebram", "rejeita|recusa|falha", "piora|pioram", "mais simples|rápido|seguro|barato", "é ** do|da time|equipe"],
    decided: &["decidimos|escolhemos|optamos|combinamos|resolvemos|decidi|escolhi", "foi|está|ficou decidido|definido|combinado", "decisão", "vamos com|usar|de|ficar|manter|trocar|migrar", "ficamos com|em", "usaremos|mudamos|migramos|trocamos|mantemos"],
    undecided: &["não|ainda|nunca ** decidimos|decidido|decidi", "se usarmos|formos|a gente", "talvez", "poderíamos|deveríamos|podemos|podíamos", "antes de decidir", "acho|sugiro|proponho|penso"],
    instead: &["em vez de|do|da", "ao invés de|do|da", "no lugar de|do|da", "e não", "não ** mas sim"],
    request: &["use|usa|mude|muda|troque|coloque|faça|faz|guarde|limite|mande|vamos|passe", "tem que", "deve|devemos", "quero"],
    limit: &["limite|teto|cota|quota", "limitado|limitada|limitados|limita a", "no máximo", "máximo ?de #", "max #", "não ** mais|maior|exceder|ultrapassar|passar|pode", "não ?é|há suportado|permitido|suporta|permite|aceita|possível", "até #", "só aceita|permite|suporta", "acima|mais de # ", "# ** por segundo|minuto|hora|dia"],
    edge: &["fecha|fecham|corta|expira ** após|depois|em"],
    firm: &["não ** podemos|pode|dá|vão ** mudar|aumentar|alterar|mexer", "limite rígido|fixo|duro", "por design|projeto|contrato|lei", "por segundo|minuto|hora|dia", "do lado deles", "não vão ** aumentar|mudar", "não ** negociável", "inegociável", "não é|suporta|permite|aceita suportado|permitido", "no máximo", "a partir de hoje|agora", "obrigatório|contrato", "fornecedor|api"],
    defer: &["agora não", "ainda não", "mais tarde", "adia~|adiamos|posterga~|postergamos", "deixa|deixamos|deixe|fica|ficam ** para depois|quando|mais|próxima|próximo", "para depois", "só quando|depois", "quando ** estiver|sair|terminar|chegar", "em espera", "fora do escopo", "dívida técnica", "esperar|espera|esperamos|aguardar|aguarda ** até|o|a"],
    until: &["até", "quando", "assim que", "depois", "após", "antes", "porque", "próximo|próxima", "uma vez"],
    asks: &["^o que", "^que|como|quando|onde|quem|qual|quais|quanto|quantos", "^por que|quê", "^pode|poderia|podemos|devo|deveria|há|tem|é|está"],
    supposes: &["e se", "imagina|imagine|imaginemos", "suponha|suponhamos|supondo", "poderíamos|poderia|podíamos", "hipoteticamente|teoricamente", "em teoria", "talvez", "se usássemos|tivéssemos|fosse", "um dia", "seria"],
    jests: &["brincadeira|brincando", "tô|estou brincando|zoando", "zoeira", "kkk~", "haha~", "rsrs~", "é piada", "lol"],
    hearsay: &["ele|ela|colega|chefe|artigo|blog|documentação|cliente|amigo|alguém|pessoal|readme ?sempre diz|disse|acha|recomenda|sugere|quer|escreveu|escreve", "segundo", "de acordo com", "eu li|ouvi|vi", "dizem que", "outro|outra|antiga|antigo empresa|equipe|projeto|time|emprego"],
    keep: &["lembre|lembra|lembrem", "tenha|tem ** mente", "não esqueça|esquece|se", "anote|anota", "para a próxima|registro", "guarde|guarda isso"],
    refuses: &["não", "nao", "assim não", "pare", "errado", "isso não|está", "desfaz|desfaça", "melhor não", "nunca", "nada disso"],
    agrees: &["sim", "ok", "beleza", "pode", "tá bom", "está bem", "de acordo", "faz|faça isso", "perfeito", "exato", "claro", "boa", "boa ideia", "ótimo"],
    concedes: &["tem razão", "você tem", "verdade", "é verdade", "bom ponto", "esquece", "esqueça", "deixa pra|para lá", "deixa", "pensando melhor", "então não", "erro meu"],
    cause: &["porque", "falta|faltava|faltavam", "precisa|precisava|exige|espera|requer", "deve|devia|tem|tinha ** que", "era|é|estava|está ** vazio|errado|antigo|velho|absoluto|não|já", "causa|razão|motivo|problema", "basta", "sem", "em vez", "não existe|existia|estava|tem|tinha", "falha|rejeita|ignora|apontava"],
    report: &["vou", "deixa eu", "agora|tudo|testes|está|estão ** verde|verdes|pronto|feito|passando|passam", "pronto|feito", "quer|devo"],
    script: None,
};
