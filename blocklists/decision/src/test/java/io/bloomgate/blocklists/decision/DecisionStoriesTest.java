package io.bloomgate.blocklists.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomgate.config.settings.Action;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rules of decision in gateway/README.md, as the files in {@code stories} tell them. A story begins
 * with {@code ==} and its name; its lines are what is listed, allowed, blocked and protected, and
 * sessions with their verdicts. Lines before the first story are in each.
 */
class DecisionStoriesTest {

  private static final Pattern SESSION =
      Pattern.compile("(\\S+)(?: helo (\\S+))?(?: from (\\S+))? -> ([^#]*)(?:# .*)?");

  @TempDir private Path directory;
  private int stories;

  @TestFactory
  Stream<DynamicTest> stories() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String file : List.of("allow", "never-block", "feeds")) {
      String[] told = read(file).split("(?m)^== ", -1);
      for (String story : Arrays.asList(told).subList(1, told.length)) {
        String name = story.substring(0, story.indexOf('\n'));
        String lines = told[0] + story.substring(name.length());
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

  private void play(String story) throws IOException {
    World world = new World(Files.createDirectory(directory.resolve("w" + stories++)));
    for (String line : story.lines().filter(one -> !one.isBlank()).toList()) {
      String[] words = line.split(" ", -1);
      String rest = line.substring(Math.min(line.length(), words[0].length() + 1));
      switch (words[0]) {
        case "#" -> {}
        case "allow" -> world.allow(rest);
        case "block" -> world.block(rest);
        case "feed" ->
            world.feed(
                words[1],
                Action.valueOf(words[2].toUpperCase(Locale.ROOT)),
                Arrays.copyOfRange(words, 3, words.length));
        case "protect" -> protect(world, words);
        default -> {
          Matcher session = SESSION.matcher(line);
          assertEquals(true, session.matches(), line);
          assertEquals(
              session.group(4).strip(),
              World.line(
                  world.decide(
                      World.session(session.group(1), said(session, 2), said(session, 3)))),
              line);
        }
      }
    }
  }

  private static void protect(World world, String[] words) {
    if (words[1].equals("public-suffixes")) {
      world.protectPublicSuffixes();
    } else {
      world.protect(words[1], Arrays.copyOfRange(words, 2, words.length));
    }
  }

  private static String said(Matcher session, int group) {
    return session.group(group) == null ? "" : session.group(group);
  }
}
