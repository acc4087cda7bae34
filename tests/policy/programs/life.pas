{$mode objfpc}
uses sysutils, classes;
var
  list: TStringList;
  big: array of longint;
  n: longint;
begin
  list := TStringList.Create;
  list.Add('hello');
  list.SaveToFile('life.txt');
  if not DeleteFile('life.txt') then halt(1);
  setlength(big, 50000000);
  big[7] := 1;
  try
    raise Exception.Create('caught');
  except
    on e: Exception do;
  end;
  readln(n);
  writeln('good ', n);
end.
