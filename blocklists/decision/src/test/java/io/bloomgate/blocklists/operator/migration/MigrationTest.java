package io.bloomgate.blocklists.operator.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What foreign lists come to, line by line, as {@code foreign-lists.txt} has it. A list begins with
 * {@code ==}, its name and how it is read; behind {@code --} are the entries, the lines that are
 * left and the notes.
 */
class MigrationTest {

  private static final String RESULT = "\n--\n";

  @Test
  void eachListComesToItsEntries() throws IOException {
    String file;
    try (InputStream text = MigrationTest.class.getResourceAsStream("foreign-lists.txt")) {
      file = new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    }
    StringBuilder actual = new StringBuilder();
    for (String list : file.split("(?m)^(?=== )", -1)) {
      String asked = list.split(RESULT, 2)[0].stripTrailing();
      actual.append(asked).append(RESULT).append(result(asked)).append('\n');
    }
    assertEquals(file.strip(), actual.toString().strip());
  }

  private static String result(String asked) {
    List<String> lines = asked.lines().toList();
    String head = lines.getFirst();
    List<String> words = Arrays.asList(head.substring(head.indexOf(": ") + 2).split(" ", -1));
    int file = words.indexOf("file");
    Request request =
        new Request(
            Origin.valueOf(words.getFirst().toUpperCase(Locale.ROOT)),
            among(words, Kind.values()),
            among(words, ListKind.values()),
            file < 0 ? "" : words.get(file + 1));
    Migration migration = Migration.of(request, lines.subList(1, lines.size()));
    List<String> result = new ArrayList<>();
    migration
        .taken()
        .forEach(one ->
            result.add(
                "%d %s %s%s"
                    .formatted(
                        one.line(),
                        one.entry().list().key(),
                        OperatorText.format(one.entry()),
                        one.forced() ? " forced" : "")));
    migration.left().forEach(one -> result.add(one.line() + " left: " + one.reason()));
    migration.notes().forEach(note -> result.add("note: " + note));
    return String.join("\n", result) + "\n";
  }

  private static <E extends Enum<E>> @Nullable E among(List<String> words, E[] values) {
    return Arrays.stream(values)
        .filter(one -> words.contains(one.name().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElse(null);
  }

  @Test
  void aFileThatDoesNotSayItsListNeedsOne() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Migration.of(new Request(Origin.RSPAMD, null, null, ""), List.of("spam.example")));
  }
}
