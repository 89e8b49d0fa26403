package io.bloomgate.config.settings;

import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.SecretFile.UnusableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code admin.write_tokens_file}: lines of {@code NAME TOKEN}, with {@code read} or
 * {@code support} behind them where the owner may do less than everything; empty lines and lines
 * that begin with {@code #} say nothing. Read at each use, so that a token that was taken out
 * counts no more. Called on threads of HTTP requests, and by {@link SettingsFile}.
 */
public final class TokenFile {

  /** Shorter tokens could be guessed. */
  private static final int MIN_TOKEN = 16;

  private static final Pattern LINE =
      Pattern.compile(
          "(?<name>[A-Za-z0-9._-]{1,32})[ \\t]+(?<token>[!-~]+)([ \\t]+(?<role>read|support))?");

  private TokenFile() {}

  /** A line: who shows this token, and may do what. */
  public record Owned(String name, String token, Role role) {}

  /**
   * Tokens in file order.
   *
   * @throws UnusableException when the file cannot be used; shows no token
   */
  public static List<Owned> read(Path file) throws UnusableException {
    List<Owned> tokens = new ArrayList<>();
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
                + " is not a name (letters, digits, . _ -, at most 32), a space and a token, and"
                + " perhaps `read` or `support`; write for example `alice` and, behind a space, the"
                + " output of `openssl rand -hex 16`");
      }
      String name = parts.group("name");
      String token = parts.group("token");
      if (token.length() < MIN_TOKEN) {
        throw new UnusableException(
            file, "the token of line " + number + " has less than " + MIN_TOKEN + " characters");
      }
      if (tokens.stream().anyMatch(t -> t.name().equals(name) || t.token().equals(token))) {
        throw new UnusableException(file, "line " + number + " repeats a name or a token");
      }
      tokens.add(new Owned(name, token, role(parts.group("role"))));
    }
    return tokens;
  }

  private static Role role(@Nullable String word) {
    return word == null ? Role.ADMIN : word.equals(Role.READ.key()) ? Role.READ : Role.SUPPORT;
  }
}
