package io.bloomgate.config.settings;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.notation.Shown;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key in a separate file, so that it is in no settings file, backup of it or bug report. Read at
 * each use, so that a new key counts at once. Called on threads of fetches and of DNS lists, and by
 * {@link SettingsFile}.
 */
public final class SecretFile {

  /** Octets of the file, white space around the key included. */
  public static final int MOST_OCTETS = 4096;

  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private SecretFile() {}

  /** A key cannot be used; the message is for the operator and shows nothing of it. */
  public static final class UnusableException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    public UnusableException(Path file, String why) {
      super("the key in " + Shown.quoted(file.toString()) + " cannot be used: " + why);
    }
  }

  /** The key: one line of printable ASCII, without the white space around it. */
  public static String read(Path file) throws UnusableException {
    return checked(file, text(file));
  }

  /** All of a file that only its owner and its group may read. */
  public static String text(Path file) throws UnusableException {
    return new String(octets(file, MOST_OCTETS, true), ISO_8859_1);
  }

  /**
   * All of a file.
   *
   * @param isSecret true when only its owner and its group may read it
   */
  static byte[] octets(Path file, int most, boolean isSecret) throws UnusableException {
    try {
      if (!Files.isRegularFile(file)) {
        throw new UnusableException(
            file, Files.exists(file) ? "it is no regular file" : "there is no such file");
      }
      if (isSecret) {
        checkMode(file);
      }
      byte[] octets;
      try (var in = Files.newInputStream(file)) {
        octets = in.readNBytes(most + 1);
      }
      if (octets.length > most) {
        throw new UnusableException(file, "it has more than " + most + " octets");
      }
      return octets;
    } catch (UnusableException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new UnusableException(file, "there is no such file");
    } catch (AccessDeniedException e) {
      throw new UnusableException(file, "the gateway's user may not read it");
    } catch (IOException e) {
      throw new UnusableException(file, "it cannot be read");
    }
  }

  private static String checked(Path file, String text) throws UnusableException {
    String key = text.strip();
    if (key.isEmpty()) {
      throw new UnusableException(file, "it is empty");
    }
    if (!key.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new UnusableException(file, "it holds more than one line of printable ASCII");
    }
    return key;
  }

  static void checkMode(Path file) throws IOException {
    @Nullable PosixFileAttributeView view =
        Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> open = EnumSet.copyOf(TOO_OPEN);
    open.retainAll(view.readAttributes().permissions());
    if (!open.isEmpty()) {
      throw new UnusableException(file, "others may read or change it; chmod 640 or 600");
    }
  }
}
