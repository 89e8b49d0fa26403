package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Likeness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real mails of other projects are alike only where they are copies of each other, which many of
 * them are: by the sets of their word trigrams, the resemblance that minima estimate. The mails are
 * not part of the repository ({@code ../shared/mail}); where they are missing the test is skipped.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SharedMailTest {

  private static final Path MAIL = Path.of("..", "..", "..", "shared", "mail");

  private static final Pattern WORD = Pattern.compile("://|[a-z0-9]+");

  private record Mail(Path file, Likeness likeness, Set<List<String>> trigrams) {

    double resemblance(Mail other) {
      Set<List<String>> common = new HashSet<>(trigrams);
      common.retainAll(other.trigrams);
      return (double) common.size() / (trigrams.size() + other.trigrams.size() - common.size());
    }
  }

  private static List<Mail> mails() throws IOException {
    BodyPrint reader = new BodyPrint(1);
    List<Mail> mails = new ArrayList<>();
    try (Stream<Path> files = Files.walk(MAIL)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String mail = Files.readString(file, ISO_8859_1).replace("\r\n", "\n");
        // Latin-1 turns other characters into several letters; both ways must see the same.
        String body =
            mail.substring(Math.max(0, mail.indexOf("\n\n"))).replaceAll("[^\\x00-\\x7f]", "x");
        Likeness likeness = Texts.prints(reader, body).likeness();
        if (likeness != null) {
          mails.add(new Mail(file, likeness, trigrams(body)));
        }
      }
    }
    return mails;
  }

  /** Slow and simple, without the code under test. */
  private static Set<List<String>> trigrams(String body) {
    String plain =
        body.toLowerCase(Locale.ROOT)
            .replaceAll("(?<=[a-z0-9])://[^\\s<>\"]*|(?<![a-z0-9])www\\.[^\\s<>\"]*", " :// ")
            .replaceAll("[0-9]+", "0");
    List<String> words = WORD.matcher(plain).results().map(MatchResult::group).toList();
    List<String> first = words.subList(0, Math.min(words.size(), BodyPrint.MOST_WORDS));
    Set<List<String>> trigrams = new HashSet<>();
    for (int i = 2; i < first.size(); i++) {
      trigrams.add(List.copyOf(first.subList(i - 2, i + 1)));
    }
    return trigrams;
  }

  @Test
  void onlyCopiesAreAlike() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MAIL), "no shared mails here");
    List<Mail> mails = mails();
    assertTrue(mails.size() > 100, mails.size() + " mails have minima");
    List<String> wrong = new ArrayList<>();
    for (Mail one : mails) {
      for (Mail other : mails.subList(0, mails.indexOf(one))) {
        double resemblance = one.resemblance(other);
        int equal = one.likeness().equalMinima(other.likeness());
        boolean isAlike = equal > Likeness.ALIKE_ABOVE;
        // 32 minima miss the resemblance by more than 0.3 once in some thousand pairs near 0.5.
        if (isAlike ? resemblance < 0.25 : resemblance > 0.8) {
          wrong.add(equal + " of 32, " + resemblance + ": " + one.file() + " " + other.file());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }
}
