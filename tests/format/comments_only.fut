

   -- A file may consist of comments.
-- They stay.



-- So does one empty line between them.


