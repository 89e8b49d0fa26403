package io.bloomgate.blocklists.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that {@code explain} names against a refusal by the content of a mail. */
class UndoOfContentTest {

  private static final String IP = "192.0.2.9";
  private static final String HASH =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final String END = " --expires 7d --reason \"...\"";

  @TempDir private Path directory;
  private World world = new World(Path.of(""));

  @BeforeEach
  void listSomeThings() {
    world =
        new World(directory)
            .feed("hosts", Action.REJECT, Set.of(Check.URL_HOST), "bad.example", "203.0.113.7")
            .feed(
                "senders",
                Action.REJECT,
                Set.of(Check.FROM, Check.FROM_DOMAIN, Check.REPLY_TO_DOMAIN),
                "spam.example",
                "-x@list.example");
  }

  private Explanation explain(String... carried) {
    List<ContentKey> keys = new ArrayList<>();
    for (String each : carried) {
      String[] words = each.split(" ", 2);
      Check check =
          Stream.of(Check.values()).filter(c -> c.key().equals(words[0])).findFirst().orElseThrow();
      keys.add(ContentKey.parse(check, words[1], Place.OPEN).orElseThrow());
    }
    return asked(
        new Question(new Explain(IP, null, "a@b.example", null, null), "example.com"::equals)
            .withCarried(keys));
  }

  private Explanation explainSubject(String subject) {
    return asked(new Question(new Explain(subject, null, null, null, null), "example.com"::equals));
  }

  private Explanation asked(Question question) {
    return new Explainer(ExplainNotesTest.context(world, Explainer.GreylistAnswers.NONE))
        .explain(question)
        .toOptional()
        .orElseThrow();
  }

  /** Entries of pages cannot be counted by their host: it is said that they are not asked. */
  @Test
  void whereUrlsAreListedTheQuestionOfANameSaysThatItAsksForNoPage() {
    String note =
        "no entries of single pages there were looked for; for these ask with the URL: `bloomgate"
            + " explain http://page.example/PATH`";
    world.block("//page.example/login scope=url");
    assertEquals(List.of(note), explainSubject("page.example").notes());
    assertEquals(List.of(), explainSubject("a@page.example").notes());
    assertEquals(1, explainSubject("*.page.example").notes().size(), "no URL has such a host");
    assertEquals("reject", explainSubject("http://page.example/login").verdict());
  }

  /** The question is about a sender or a client; that links to it are refused is said too. */
  @Test
  void aNameThatIsListedInMailsOnlySaysSo() {
    Explanation ofHost = explainSubject("www.bad.example");
    assertEquals("accept", ofHost.verdict());
    assertEquals(
        List.of("a link to it in a mail: hosts lists bad.example (url_host, line 1, reject)"),
        ofHost.notes());
    assertEquals(
        List.of("a link to it in a mail: hosts lists 203.0.113.7 (url_host, line 2, reject)"),
        explainSubject("203.0.113.7").notes());
    assertEquals(
        List.of(
            "in the field From of a mail: senders lists spam.example (from_domain, line 1,"
                + " reject)"),
        explainSubject("a@spam.example").notes());
    assertEquals(List.of(), explainSubject("good.example").notes());
    world.block("//evil.example/ scope=url");
    assertEquals(
        List.of("a link to it in a mail: operator entry e1 blocks evil.example/ (url)"),
        explainSubject("evil.example").notes());
  }

  private static List<String> commands(Explanation explanation) {
    return Stream.concat(
            Stream.ofNullable(explanation.undo()),
            explanation.undoWider().stream().map(Explanation.Wider::command))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "url_host www.bad.example, --url www.bad.example, url_host",
    "from -x@list.example, --from-header=-x@list.example, from",
    "from_domain mail.spam.example, --from-header mail.spam.example, from_domain",
    "reply_to_domain spam.example, spam.example --scope reply_to_domain, reply_to_domain",
  })
  void whatIsListedIsAllowedForTheClientFirstAndThenForEverybody(
      String carried, String named, String scope) {
    List<String> commands = commands(explain(carried));
    assertEquals(
        List.of(
            "bloomgate allow add " + named + " --from " + IP + END,
            "bloomgate allow add " + named + END,
            "bloomgate allow add " + IP + " --scope " + scope + END),
        commands.subList(0, 3));
  }

  /** An entry of an address takes no {@code --from}. */
  @Test
  void anAddressInALinkIsAllowedForEverybody() {
    assertEquals(
        "bloomgate allow add --url 203.0.113.7" + END, explain("url_host 203.0.113.7").undo());
  }

  /** The host and the sender are no part of the undo where nothing lists them. */
  @Test
  void onlyWhatWasListedIsNamed() {
    world.block("//evil.example/a/ scope=url");
    List<String> commands = commands(explain("url evil.example/a/b", "url_host evil.example"));
    String page = "bloomgate allow add --url evil.example/a/b";
    assertEquals(
        List.of(
            page + " --from " + IP + END,
            "bloomgate block remove --url evil.example/a/",
            page + END),
        commands);
  }

  @Test
  void theStepSaysWhatItLifts() {
    assertEquals(
        List.of(
            "listings as url_host of mail that carries bad.example, from any client",
            "listings as url_host of mail from " + IP),
        explain("url_host bad.example").undoWider().stream()
            .map(Explanation.Wider::lifts)
            .limit(2)
            .toList());
  }

  /** One command is printed; a reader must see whether it is enough. */
  @Test
  void theUndoNamesAllListingsThatItLiftsOrThatStillRefuse() {
    world.feed("second", Action.TEMPFAIL, Set.of(Check.URL_HOST), "bad.example");
    String both =
        "hosts lists bad.example (url_host, line 1, reject);"
            + " second lists bad.example (url_host, line 1, tempfail)";
    assertEquals(
        List.of("the undo lifts 2 listings: " + both), explain("url_host bad.example").notes());
    world.block("bad.example scope=url_host");
    Explanation blocked = explain("url_host bad.example");
    assertEquals("bloomgate block remove --url bad.example", blocked.undo());
    assertEquals(
        List.of("the undo alone does not let it in; still refuses: " + both), blocked.notes());
  }

  /** No entry of one host lets a mail with two of them pass. */
  @Test
  void aMailWithTwoListedHostsIsLiftedByItsClient() {
    assertEquals(
        "bloomgate allow add " + IP + " --scope url_host" + END,
        explain("url_host bad.example", "url_host 203.0.113.7").undo());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "//evil.example/a?x=1 scope=url; url evil.example/a?x=1; --url 'evil.example/a?x=1'",
        "evil.example scope=url_host; url_host evil.example; --url evil.example",
        HASH + " scope=attachment; attachment " + HASH + "; --sha256 " + HASH,
        HASH + " scope=subject; subject " + HASH + "; e1",
        "a@fake.example scope=from; from a@fake.example; --from-header a@fake.example",
      })
  void anOwnBlockIsRemovedByTheOptionThatNamesIt(String block, String carried, String named) {
    world.block(block);
    assertEquals("bloomgate block remove " + named, explain(carried).undo());
  }

  @Test
  void oneOfSeveralBlocksOfTheSameNameIsRemovedByItsId() {
    world.block("evil.example", "evil.example scope=url_host");
    assertEquals("bloomgate block remove e2", explain("url_host evil.example").undo());
  }

  /** The URL alone is narrower than the block of its whole host. */
  @Test
  void theAllowedUrlComesBeforeTheRemovalOfAWiderBlock() {
    world.block("//evil.example/a/ scope=url");
    List<String> commands = commands(explain("url evil.example/a/b"));
    assertEquals(
        "bloomgate allow add --url evil.example/a/b --from " + IP + END, commands.getFirst());
    assertEquals("bloomgate block remove --url evil.example/a/", commands.get(1));
  }

  /** What an option is printed with must mean the same entry when it is read back. */
  @Test
  void eachOptionReadsItsSubjectBack() {
    assertReadsBack(TypedSubject::url, "evil.example/a%20b?x=1");
    assertReadsBack(TypedSubject::url, "203.0.113.7/a");
    assertReadsBack(TypedSubject::url, "203.0.113.7");
    assertReadsBack(TypedSubject::url, "2001:db8::7");
    assertReadsBack(TypedSubject::url, "host.example");
    assertReadsBack(TypedSubject::sha256, HASH);
    assertReadsBack(TypedSubject::fromHeader, "a@b.example");
    assertReadsBack(TypedSubject::fromHeader, "b.example");
  }

  private static void assertReadsBack(Function<String, Parsed<TypedSubject>> reader, String text) {
    TypedSubject typed = reader.apply(text).toOptional().orElseThrow();
    assertTrue(TypedSubject.option(typed.subject(), typed.scope()).isPresent(), text);
    assertEquals(typed, reader.apply(typed.subject().toString()).toOptional().orElseThrow(), text);
  }
}
