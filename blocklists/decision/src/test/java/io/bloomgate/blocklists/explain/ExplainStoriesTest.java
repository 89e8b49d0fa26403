package io.bloomgate.blocklists.explain;

import static io.bloomgate.blocklists.decision.World.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.DecisionStoriesTest;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.explain.Explainer.GreylistAnswers;
import io.bloomgate.blocklists.greylist.Greylist.Standing;
import io.bloomgate.blocklists.greylist.Greylist.Visit;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.control.ControlRequest.Explain;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code explain}, {@code allow add} and {@code block add} say, as {@code stories.txt} tells
 * it. A story begins with {@code ==} and says what is listed as those of decisions do, {@code
 * greylisted VISIT}, and questions: {@code ask SUBJECT helo NAME from SENDER ip CLIENT to RECIPIENT
 * mode MODE carry CHECK=KEY connect}, and {@code add LIST LINE in MODE by CLIENT from SENDER}. The
 * indented lines below are the answer; {@code -Dgolden.write=true} writes them again.
 */
class ExplainStoriesTest {

  private static final Path STORIES =
      Path.of("src/test/resources/io/bloomgate/blocklists/explain/stories.txt");

  private static final Instant SINCE = Instant.parse("2026-11-21T07:28:00Z");

  private static final Pattern ADD =
      Pattern.compile("add (allow|block) (.*?)(?: in (\\w+))?(?: by (\\S+)(?: from (\\S+))?)?");

  @TempDir private Path directory;
  private World world = new World(Path.of(""));
  private GreylistAnswers greylist = GreylistAnswers.NONE;
  private int stories;

  @Test
  void answersAreThoseOfTheStories() throws IOException {
    StringBuilder written = new StringBuilder();
    for (String line : Files.readAllLines(STORIES)) {
      if (!line.startsWith("  ")) {
        written.append(line).append('\n');
        play(line).forEach(answer -> written.append("  ").append(answer).append('\n'));
      }
    }
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(STORIES, written);
    }
    assertEquals(Files.readString(STORIES), written.toString());
  }

  private List<String> play(String line) throws IOException {
    Matcher add = ADD.matcher(line);
    if (line.startsWith("== ")) {
      world = new World(Files.createDirectory(directory.resolve("w" + stories++)));
      greylist = GreylistAnswers.NONE;
    } else if (line.startsWith("greylisted ")) {
      Visit next = Visit.valueOf(line.substring(11));
      greylist =
          (client, sender, recipient) ->
              Optional.of(
                  new Standing(
                      next, SINCE, SINCE.plusSeconds(300), SINCE.plus(Duration.ofHours(24))));
    } else if (line.startsWith("ask ")) {
      return answer(List.of(line.substring(4).replace("\\u2028", "\u2028").split(" ")));
    } else if (add.matches()) {
      return effect(add);
    } else if (!line.isEmpty() && !line.startsWith("#") && !DecisionStoriesTest.tell(world, line)) {
      throw new AssertionError(line);
    }
    return List.of();
  }

  private static Mode mode(String word) {
    return Mode.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private List<String> effect(Matcher add) {
    ListKind list = ListKind.valueOf(add.group(1).toUpperCase(Locale.ROOT));
    OperatorEntry entry = World.operatorEntry("new", list, add.group(2));
    String from = add.group(5) == null ? "" : add.group(5);
    Facts incident = add.group(4) == null ? null : World.session(add.group(4), "", from);
    Mode mode = mode(add.group(3) == null ? "enforce" : add.group(3));
    EntryEffect effect = EntryEffect.of(entry, world.lists(), world.policy(), NOW, incident);
    return Stream.concat(
            EffectText.of(entry, effect, mode).stream(), EffectText.ofMode(list, mode).stream())
        .toList();
  }

  private List<String> answer(List<String> words) {
    Map<String, String> said = new HashMap<>();
    List<ContentKey> carried = new ArrayList<>();
    for (int i = 1; i + 1 < words.size(); i += 2) {
      String value = words.get(i + 1);
      if (words.get(i).equals("carry")) {
        String[] key = value.split("=", 2);
        Check check = Check.valueOf(key[0].toUpperCase(Locale.ROOT));
        carried.add(ContentKey.parse(check, key[1], Place.OPEN).orElseThrow());
      } else {
        said.put(words.get(i), value);
      }
    }
    Explain asked =
        new Explain(
            words.getFirst(), said.get("helo"), said.get("from"), said.get("ip"), said.get("to"));
    Explainer.Context context =
        new Explainer.Context(
            world.lists(),
            world.policy(),
            mode(said.getOrDefault("mode", "enforce")),
            words.getLast().equals("connect") ? RejectAt.CONNECT : RejectAt.RCPT,
            false,
            NOW,
            listed -> null,
            Explainer.DnsAnswers.NONE,
            greylist);
    Explainer explainer = new Explainer(context);
    Question question = new Question(asked, "example.com"::equals);
    Parsed<Explanation> answer =
        carried.isEmpty()
            ? explainer.explain(question)
            : question
                .resolve()
                .map(mail ->
                    explainer.explainKept(
                        mail.keys().withContent(new Content(carried)), mail.senderKnown()));
    return answer
        .map(ExplainStoriesTest::lines)
        .toOptional()
        .orElseGet(() -> List.of("cannot be asked: " + ((Parsed.Bad<?>) answer).reason()));
  }

  private static List<String> lines(Explanation answer) {
    Explanation.Bloom bloom = answer.bloom();
    String hit = bloom.confirmed() ? "listed" : bloom.hit() ? "hit" : "no hit";
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s at %s, %s %s, filter %s: %s"
            .formatted(
                answer.verdict(),
                answer.stage().key(),
                answer.kind().key(),
                answer.subject(),
                bloom.filter(),
                hit));
    answer.listings().forEach(each -> lines.add("listed " + line(each)));
    bloom.outOfReach().forEach(each -> lines.add("out of reach " + each.entry()));
    Explanation.Range range = answer.range();
    if (range != null) {
      Stream<String> first = range.first().stream().map(Explanation.Beside::entry);
      lines.add(
          "range %d inside, %d around, first %s"
              .formatted(range.inside(), range.around(), first.limit(1).toList()));
    }
    if (answer.allow() != null) {
      lines.add("allow " + answer.allow().id());
    }
    if (answer.undo() != null) {
      lines.add("undo " + answer.undo());
    }
    answer.undoWider().forEach(each -> lines.add("wider " + each.command() + ": " + each.lifts()));
    answer.notes().forEach(each -> lines.add("note " + each));
    return lines.stream().map(each -> each.replace(" --expires 7d --reason \"...\"", "")).toList();
  }

  private static String line(Explanation.Listed listed) {
    return listed.feed()
        + " "
        + listed.entry()
        + " "
        + listed.kind().key()
        + " "
        + listed.action().key()
        + (listed.pardon() == null ? "" : ", " + listed.pardon());
  }
}
