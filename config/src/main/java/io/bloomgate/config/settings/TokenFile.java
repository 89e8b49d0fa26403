package io.bloomgate.config.settings;

import io.bloomgate.config.settings.SecretFile.UnusableException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code admin.write_tokens_file}: lines of {@code NAME TOKEN}; empty lines and lines that
 * begin with {@code #} say nothing. Read at each use, so that a token that was taken out counts no
 * more. Called on threads of HTTP requests, and by {@link SettingsFile}.
 */
public final class TokenFile {

  /** Shorter tokens could be guessed. */
  private static final int MIN_TOKEN = 16;

  private static final Pattern LINE =
      Pattern.compile("(?<name>[A-Za-z0-9._-]{1,32})[ \\t]+(?<token>[!-~]+)");

  private TokenFile() {}

  /**
   * Tokens by the names of their owners, in file order.
   *
   * @throws UnusableException when the file cannot be used; shows no token
   */
  public static Map<String, String> read(Path file) throws UnusableException {
    Map<String, String> tokens = new LinkedHashMap<>();
    int number = 0;
    for (String line : SecretFile.text(file).lines().map(String::strip).toList()) {
      number++;
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new UnusableException(
            file,
            "line "
                + number
                + " is not a name (letters, digits, . _ -, at most 32), a space and a token; write"
                + " for example `alice` and, behind a space, the output of `openssl rand -hex 16`");
      }
      String token = parts.group("token");
      if (token.length() < MIN_TOKEN) {
        throw new UnusableException(
            file, "the token of line " + number + " has less than " + MIN_TOKEN + " characters");
      }
      if (tokens.containsValue(token) || tokens.put(parts.group("name"), token) != null) {
        throw new UnusableException(file, "line " + number + " repeats a name or a token");
      }
    }
    return tokens;
  }
}
