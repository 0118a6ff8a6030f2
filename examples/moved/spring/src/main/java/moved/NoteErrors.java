package moved;

import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice
public class NoteErrors {
  @ExceptionHandler
  ProblemDetail notFound(NoteNotFound error) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, error.getMessage());
  }

  @ExceptionHandler
  ProblemDetail tooMany(TooManyNotes error) {
    var problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, error.getMessage());
    problem.setType(URI.create("/problems/too-many-notes"));
    problem.setProperty("limit", error.limit);
    return problem;
  }
}
