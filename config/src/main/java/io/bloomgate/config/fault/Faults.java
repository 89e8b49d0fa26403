package io.bloomgate.config.fault;

import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/**
 * An exception in words for readers who know no Java: no class names. Pure; for messages to
 * operators, on any thread. Stack traces go elsewhere.
 */
public final class Faults {

  private Faults() {}

  /** A few words without a full stop; files are named where the exception knows them. */
  public static String words(Throwable fault) {
    return switch (fault) {
      case FileSystemException file -> {
        String name = file.getFile() == null ? "" : file.getFile() + ": ";
        yield name + words(file);
      }
      default -> reason(fault);
    };
  }

  /** The same for a message that names the file already. */
  public static String reason(Throwable fault) {
    return switch (fault) {
      case FileSystemException file -> words(file);
      case UnknownHostException host -> "no address for " + host.getMessage();
      case CharacterCodingException _ -> "not UTF-8";
      default -> messageOf(fault);
    };
  }

  /** The problem of a file in another format: the rest of a sentence that begins with its name. */
  public static String otherFormat(long format, long read) {
    return "has format " + format + " of another release; this one reads format " + read;
  }

  private static String words(FileSystemException fault) {
    return switch (fault) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "there is no such file or folder";
      case FileAlreadyExistsException _ -> "it is there already";
      case NotDirectoryException _ -> "it is not a folder";
      case DirectoryNotEmptyException _ -> "the folder is not empty";
      default -> fault.getReason() == null ? "it cannot be used" : fault.getReason();
    };
  }

  private static String messageOf(Throwable fault) {
    String message = fault.getMessage();
    Throwable cause = fault.getCause();
    if (message != null && !message.isBlank()) {
      // An exception that was made from another has its text, class name and all.
      return cause != null && message.equals(cause.toString()) ? words(cause) : message;
    }
    return cause == null ? nameInWords(fault) : words(cause);
  }

  /** {@code ClosedChannelException} becomes {@code closed channel}. */
  private static String nameInWords(Throwable fault) {
    String name = fault.getClass().getSimpleName().replaceFirst("(Exception|Error)$", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT).strip();
  }
}
