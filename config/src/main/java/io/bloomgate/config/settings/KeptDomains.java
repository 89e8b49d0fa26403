package io.bloomgate.config.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of each file of {@code domains} as they counted last, in a file of the state directory:
 * they serve when the file itself cannot be read at a start. The gateway writes it; it is read with
 * the settings. Pure but for the reading.
 */
public final class KeptDomains {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "domains.kept";

  /** Begins the line that names a file; the lines below it are its names. */
  private static final String HEAD = "# ";

  private KeptDomains() {}

  /**
   * The names by element of {@code domains}; empty where nothing was kept, or this user may not
   * read it.
   */
  static Map<String, List<String>> read(Path stateDir) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    try {
      List<String> names = new ArrayList<>();
      for (String line : Files.readString(stateDir.resolve(FILE_NAME), UTF_8).lines().toList()) {
        if (line.startsWith(HEAD)) {
          names = kept.computeIfAbsent(line.substring(HEAD.length()), _ -> new ArrayList<>());
        } else {
          names.add(Names.ownDomain(line));
        }
      }
      return kept;
    } catch (IOException | BadValueException e) {
      return Map.of(); // a file that is not ours helps nobody
    }
  }

  /** The content of the file. */
  public static String text(List<DomainFile> files) {
    StringBuilder text = new StringBuilder();
    for (DomainFile file : files) {
      text.append(HEAD).append(file.element()).append('\n');
      file.names().forEach(name -> text.append(name).append('\n'));
    }
    return text.toString();
  }
}
