package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule.Where;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of decision in gateway/README.md, as the files in {@code stories} tell them. A story begins
 * with {@code ==} and its name; its lines are what is listed, allowed, blocked and protected, and
 * sessions with their verdicts. Lines before the first story are in each.
 */
public class DecisionStoriesTest {

  private static final Pattern SESSION =
      Pattern.compile(
          "(\\S+)(?: via (\\S+))?(?: named (\\S+))?(?: helo (\\S+))?(?: from (\\S+))?(?: to"
              + " (\\S+))? -> ([^#]*)(?:# .*)?");

  @TempDir private Path directory;
  private int stories;

  @TestFactory
  Stream<DynamicTest> stories() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String file :
        List.of("allow", "never-block", "feeds", "rules", "networks", "names", "forwarders")) {
      String[] parts = read(file).split("(?m)^== ", -1);
      for (String story : Arrays.asList(parts).subList(1, parts.length)) {
        String name = story.substring(0, story.indexOf('\n'));
        String lines = parts[0] + story.substring(name.length());
        tests.add(dynamicTest(file + ": " + name, () -> play(lines)));
      }
    }
    return tests.stream();
  }

  private static String read(String file) throws IOException {
    try (var story = DecisionStoriesTest.class.getResourceAsStream("stories/" + file + ".txt")) {
      return new String(story.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private World empty() {
    try {
      return new World(Files.createDirectory(directory.resolve("w" + stories++)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void play(String story) {
    World world = empty();
    for (String line : story.lines().filter(one -> !one.isBlank()).toList()) {
      if (line.equals("start over")) {
        world = empty();
      } else if (!line.startsWith("#") && !tell(world, line)) {
        Matcher session = SESSION.matcher(line);
        assertTrue(session.matches(), line);
        Facts facts = facts(session);
        String to = said(session.group(6));
        assertEquals(
            session.group(7).strip(),
            World.line(world.decide(to.isEmpty() ? facts : World.to(facts, to))),
            line);
      }
    }
  }

  private static Facts facts(Matcher session) {
    String client = session.group(1);
    String forwarder = said(session.group(2));
    Seen seen = Seen.NOTHING.withName(name(session.group(3)));
    Facts facts =
        World.session(
            forwarder.isEmpty() ? client : forwarder,
            said(session.group(4)),
            said(session.group(5)));
    return forwarder.isEmpty()
        ? facts.withSeen(seen)
        : facts.withSeen(seen.withForwarder(World.ip(forwarder))).forwardedFor(World.ip(client));
  }

  private static ClientName name(@Nullable String word) {
    return word == null ? ClientName.UNKNOWN : new ClientName(word, ClientName.State.CONFIRMED);
  }

  private static String said(@Nullable String word) {
    return word == null ? "" : word;
  }

  /** Says what is listed, allowed, blocked or protected; false for a line that does not. */
  public static boolean tell(World world, String line) {
    List<String> words = List.of(line.split(" ", -1));
    String name = words.get(1);
    String[] rest = words.subList(2, words.size()).toArray(String[]::new);
    String[] last = words.subList(Math.min(3, words.size()), words.size()).toArray(String[]::new);
    switch (words.getFirst()) {
      case "allow" -> world.allow(line.substring(6));
      case "block" -> world.block(line.substring(6));
      case "feed" -> {
        boolean some = last.length > 0 && last[0].startsWith("checks=");
        Set<Check> checks = EnumSet.allOf(Check.class);
        checks.removeIf(each -> some && !List.of(values(last[0])).contains(each.key()));
        world.feed(
            name, action(rest[0]), checks, some ? Arrays.copyOfRange(last, 1, last.length) : last);
      }
      case "table" -> world.table(name, line.substring(7 + name.length()).split(" [|] ", -1));
      case "protect" -> {
        if (name.equals("public-suffixes")) {
          world.protectPublicSuffixes();
        } else {
          world.protect(name, rest);
        }
      }
      case "exempt" -> world.exemptNetwork(name);
      case "forwarder" -> world.forwarders.add(World.prefix(name));
      case "off" -> world.withoutRule(name);
      case "family" -> world.family(name, rest);
      case "known" -> world.known(name, rest[0]);
      case "aged" -> world.aged(name, days(rest[0]), days(rest[1]), days(rest[2]));
      case "any" ->
          world.any(
              name,
              Integer.parseInt(rest[0]),
              action(rest[1]),
              Arrays.copyOfRange(rest, 2, rest.length));
      case "all" -> world.all(name, action(rest[0]), last);
      case "from" ->
          world.anyFrom(
              new Where(
                  Arrays.stream(values(rest[1]))
                      .map(number -> AsNumber.parse(number).toOptional().orElseThrow())
                      .collect(Collectors.toSet()),
                  Set.of(values(rest[2]))),
              name,
              action(rest[0]),
              Arrays.copyOfRange(rest, 3, rest.length));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static String[] values(String word) {
    String values = word.substring(word.indexOf('=') + 1);
    return values.isEmpty() ? new String[0] : values.split(",", -1);
  }

  private static Action action(String word) {
    return Action.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static Duration days(String text) {
    return Duration.ofDays(Integer.parseInt(text.substring(0, text.length() - 1)));
  }
}
