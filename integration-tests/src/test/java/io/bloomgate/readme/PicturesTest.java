package io.bloomgate.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The drawings in the pages for developers name classes and packages that exist. */
class PicturesTest {
  /** A fenced block of plain text is a drawing. */
  private static final Pattern DRAWING = Pattern.compile("(?ms)^```text\n(.*?)^```$");

  /** Two words or more written as one: in a drawing, always the name of a class. */
  private static final Pattern CLASS = Pattern.compile("\\b(?:[A-Z][a-z0-9]+){2,}\\b");

  private static final Pattern PACKAGE =
      Pattern.compile("\\b(?:config|blocklists|gateway|cli)(?:\\.[a-z]+)+\\b");

  @ParameterizedTest
  @CsvSource({"gateway/README.md, 4", "blocklists/README.md, 1"})
  void drawingsNameWhatExists(String page, int atLeast) throws IOException {
    List<String> drawings = drawings(Readme.load(page).text());
    assertTrue(drawings.size() >= atLeast, () -> page + " has " + drawings.size() + " drawings");
    assertEquals(List.of(), unknown(drawings, classes(), packages()));
  }

  @Test
  void whatDoesNotExistIsFound() {
    String page = "```text\ngateway.session NoSuchThing -> Main  gateway.nowhere\n```\n";
    assertEquals(
        List.of("NoSuchThing", "gateway.nowhere"),
        unknown(drawings(page), Set.of("Main"), Set.of("gateway.session")));
  }

  private static List<String> drawings(String page) {
    return DRAWING.matcher(page).results().map(found -> found.group(1)).toList();
  }

  private static List<String> unknown(
      List<String> drawings, Set<String> classes, Set<String> packages) {
    return drawings.stream()
        .flatMap(drawing ->
            Stream.concat(
                names(CLASS, drawing).filter(name -> !classes.contains(name)),
                names(PACKAGE, drawing).filter(name -> !packages.contains(name))))
        .distinct()
        .toList();
  }

  private static Stream<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group());
  }

  private static Set<String> classes() throws IOException {
    return sources()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toSet());
  }

  private static Set<String> packages() throws IOException {
    return sources()
        .map(file -> file.getParent().toString().replaceFirst("^.*/io/bloomgate/", ""))
        .map(folder -> folder.replace('/', '.'))
        .collect(Collectors.toSet());
  }

  private static Stream<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Checkout.root())) {
      return files
          .filter(file -> file.toString().contains("/src/main/java/io/bloomgate/"))
          .filter(file -> file.toString().endsWith(".java"))
          .toList()
          .stream();
    }
  }
}
